import type { DocumentRecord } from '../../model/properties/index.js'
import { getAcls, hasPermission, type Session } from '../documents/index.js'
import { documentXml } from './document-xml.js'

/** The XML of a document as its reader may see it: its rights for those alone who may see them. */
export const readableXml = async (session: Session, document: DocumentRecord): Promise<string> => {
  const isOpen = await hasPermission(session, document, 'ReadSecurity')
  return documentXml(session, document, isOpen ? await getAcls(session, document) : [])
}
