import { type BlobValue, type DocumentRecord, isBlobValue } from '../../model/properties/index.js'
import { blobAt, type Session } from '../documents/index.js'
import { iconOf } from './icon.js'
import type { Rendition } from './rendition.js'

/** Pixels of a side at most (blobs-conversions.md §4). */
const SIDE = 100

const stored = ({ properties }: DocumentRecord): BlobValue | undefined => {
  const value = properties['thumb:thumbnail']
  return isBlobValue(value) ? value : undefined
}

const pictureOf = ({ model }: Session, document: DocumentRecord): BlobValue | undefined => {
  const blob = blobAt(model, document, 'blobholder:0')
  return blob?.['mime-type']?.startsWith('image/') ? blob : undefined
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
  render: async ({ session, document, tools }) => {
    const own = stored(document)
    if (own) return own
    const picture = pictureOf(session, document)
    if (picture) return tools.picture(picture, SIDE)
    const { name, svg } = iconOf(session, document)
    return tools.store(svg, { name, mimeType: 'image/svg+xml' })
  },
}
