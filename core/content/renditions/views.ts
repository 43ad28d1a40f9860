import { type DocumentRecord, isBlobValue, type PropertyValue } from '../../model/properties/index.js'
import type { PlacedBlob } from '../documents/index.js'
import type { Rendition } from './rendition.js'

type Place = { property: string; field: string; kind: string; icon: string }

/** Where a document keeps pictures and films that were made of its file, by their names. */
const PLACES: readonly Place[] = [
  { property: 'picture:views', field: 'title', kind: 'nuxeo:picture:conversion', icon: '/icons/image.gif' },
  {
    property: 'vid:transcodedVideos',
    field: 'name',
    kind: 'nuxeo:video:conversion',
    icon: '/icons/video.png',
  },
]

const itemsOf = ({ properties }: DocumentRecord, { property, field }: Place) => {
  const items: PropertyValue | undefined = properties[property]
  if (!Array.isArray(items)) return []
  return items.flatMap((item, index): (PlacedBlob & { name: string })[] => {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || isBlobValue(item)) return []
    const { [field]: name, content } = item as { [field: string]: PropertyValue }
    if (typeof name !== 'string' || name === '' || !isBlobValue(content)) return []
    return [{ name, blob: content, xpath: `${property}/${index}/content` }]
  })
}

/** The views of a picture and the transcodings of a film, as they are stored. */
export const storedViews = (document: DocumentRecord): Rendition[] =>
  PLACES.flatMap((place) =>
    itemsOf(document, place).map(({ name, ...placed }) => ({
      ...{ name, kind: place.kind, icon: place.icon },
      isAvailable: () => true,
      sourceOf: () => placed,
      render: async () => placed.blob,
    })),
  )
