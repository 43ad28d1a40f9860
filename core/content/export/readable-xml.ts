import type { DocumentRecord } from '../../model/properties/index.js'
import { withoutHiddenIds } from '../collections/index.js'
import { getAcls, hasPermission, type Session } from '../documents/index.js'
import { documentXml } from './document-xml.js'

/** The XML of a document for its reader: without hidden ids, with its ACLs only for callers who may read them. */
export const readableXml = async (session: Session, document: DocumentRecord): Promise<string> => {
  const isOpen = await hasPermission(session, document, 'ReadSecurity')
  const [shown = document] = await withoutHiddenIds(session, [document])
  return documentXml(session, shown, isOpen ? await getAcls(session, document) : [])
}
