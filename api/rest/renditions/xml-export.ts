import { getAcls, hasPermission } from '../../../core/documents/index.js'
import { documentXml } from '../../../core/xml-export/index.js'
import type { Rendition } from './rendition.js'

/** The document in the XML of tree exports (blobs-conversions.md §3), its rights for those who may see them. */
export const xmlExport: Rendition = {
  name: 'xmlExport',
  kind: 'nuxeo:rendition',
  icon: '/icons/xml.png',
  isAvailable: () => true,
  render: async ({ session, document, tools }) => {
    const isOpen = await hasPermission(session, document, 'ReadSecurity')
    const acls = isOpen ? await getAcls(session, document) : []
    const xml = documentXml(session, document, acls)
    return tools.store(xml, { name: 'document.xml', mimeType: 'text/xml' })
  },
}
