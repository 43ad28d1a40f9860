import { isBlobValue } from '../../../core/blobs/index.js'
import type { BlobValue, DocumentRecord, Session } from '../../../core/documents/index.js'
import { blobAt } from '../../download/index.js'
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

/** A small picture of the document: the one that it holds, else its picture made small. */
export const thumbnail: Rendition = {
  name: 'thumbnail',
  kind: 'cmis:thumbnail',
  icon: '/icons/image.gif',
  isAvailable: (session, document) =>
    stored(document) !== undefined || pictureOf(session, document) !== undefined,
  render: async ({ session, document, tools }) => {
    const picture = pictureOf(session, document)
    return stored(document) ?? (picture && tools.picture(picture, SIDE))
  },
}
