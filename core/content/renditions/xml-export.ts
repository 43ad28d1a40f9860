import { readableXml } from '../export/index.js'
import type { Rendition } from './rendition.js'

/** The document in the XML of tree exports (blobs-conversions.md §3), with its ACLs for callers who may read them. */
export const xmlExport: Rendition = {
  name: 'xmlExport',
  kind: 'nuxeo:rendition',
  icon: '/icons/xml.png',
  isAvailable: () => true,
  render: async ({ session, document, tools }) => {
    const xml = await readableXml(session, document)
    return tools.store(xml, { name: 'document.xml', mimeType: 'text/xml' })
  },
}
