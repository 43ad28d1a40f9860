import { mainFile } from './main-file.js'
import type { Rendition } from './rendition.js'

/** The document's file as it is. */
export const mainBlob: Rendition = {
  name: 'mainBlob',
  kind: 'nuxeo:mainBlob:kind',
  icon: '/icons/contextMenu/download.png',
  isAvailable: (session, document) => mainFile(session, document) !== undefined,
  sourceOf: mainFile,
  render: async ({ session, document }) => mainFile(session, document)?.blob,
}
