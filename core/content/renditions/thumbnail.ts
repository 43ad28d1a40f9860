import {
  type BlobValue,
  type DocumentRecord,
  isBlobValue,
  type PropertyValue,
} from '../../model/properties/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import type { PlacedBlob, Session } from '../documents/index.js'
import { isPlaceholder } from '../media/index.js'
import { iconOf } from './icon.js'
import { mainFile } from './main-file.js'
import type { Rendition } from './rendition.js'

/** Pixels of a side at most (blobs-conversions.md §4). */
const SIDE = 100

const STORED = 'thumb:thumbnail'

const stored = ({ properties }: DocumentRecord): PlacedBlob | undefined => {
  const blob = properties[STORED]
  return isBlobValue(blob) ? { blob, xpath: STORED } : undefined
}

type Item = { item: { readonly [field: string]: PropertyValue }; xpath: string }

const itemsOf = (properties: DocumentRecord['properties'], xpath: string): Item[] => {
  const items: PropertyValue | undefined = properties[xpath]
  if (!Array.isArray(items)) return []
  return items.flatMap((item, index) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) && !isBlobValue(item)
      ? [{ item: item as Item['item'], xpath: `${xpath}/${index}` }]
      : [],
  )
}

/** Of a film: its preview, the small one if there is one, else the first picture of its storyboard. */
const frameOf = ({ properties }: DocumentRecord): PlacedBlob | undefined => {
  const views = itemsOf(properties, 'picture:views').filter(({ item }) => !isPlaceholder(item))
  const named = (name: string) => views.find(({ item }) => item.title === name)
  const found = named('Small') ?? named('StaticPlayerView') ?? itemsOf(properties, 'vid:storyboard')[0]
  const content = found?.item.content ?? null
  return found && isBlobValue(content) ? { blob: content, xpath: `${found.xpath}/content` } : undefined
}

const pictureOf = (session: Session, document: DocumentRecord): PlacedBlob | undefined => {
  const file = mainFile(session, document)
  const mimeType = file?.blob['mime-type']
  if (mimeType?.startsWith('video/')) return frameOf(document)
  return mimeType?.startsWith('image/') ? file : undefined
}

/** Undefined for a file that is no picture, whatever it says. */
const unlessBroken = async (made: Promise<BlobValue>): Promise<BlobValue | undefined> => {
  try {
    return await made
  } catch (error) {
    if (isArchivoltError(error) && error.code === 'conversionFailed') return undefined
    throw error
  }
}

/**
 * A small picture of the document: the one that it stores, else its picture or one of its film scaled down, else the icon
 * of its kind
 * (blobs-conversions.md §4).
 */
export const thumbnail: Rendition = {
  name: 'thumbnail',
  kind: 'cmis:thumbnail',
  icon: '/icons/image.gif',
  isAvailable: () => true,
  sourceOf: (session, document) => stored(document) ?? pictureOf(session, document),
  render: async ({ session, document, tools }) => {
    const own = stored(document)
    if (own) return own.blob
    const picture = pictureOf(session, document)
    const small = picture && (await unlessBroken(tools.picture(picture.blob, SIDE)))
    if (small) return small
    const { name, svg } = iconOf(session, document)
    return tools.store(Buffer.from(svg), { name, mimeType: 'image/svg+xml' })
  },
}
