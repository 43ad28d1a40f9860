import { type DocumentRecord, isBlobValue } from '../../model/properties/index.js'
import type { PlacedBlob, Session } from '../documents/index.js'
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

const pictureOf = (session: Session, document: DocumentRecord): PlacedBlob | undefined => {
  const file = mainFile(session, document)
  return file?.blob['mime-type']?.startsWith('image/') ? file : undefined
}

/**
 * A small picture of the document: the one that it stores, else its picture scaled down, else the icon of its kind
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
    if (picture) return tools.picture(picture.blob, SIDE)
    const { name, svg } = iconOf(session, document)
    return tools.store(svg, { name, mimeType: 'image/svg+xml' })
  },
}
