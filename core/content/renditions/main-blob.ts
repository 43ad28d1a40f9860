import { blobAt } from '../documents/index.js'
import type { Rendition } from './rendition.js'

/** The document's file as it is. */
export const mainBlob: Rendition = {
  name: 'mainBlob',
  kind: 'nuxeo:mainBlob:kind',
  icon: '/icons/contextMenu/download.png',
  isAvailable: ({ model }, document) => blobAt(model, document, 'blobholder:0') !== undefined,
  render: async ({ session, document }) => blobAt(session.model, document, 'blobholder:0'),
}
