import type { DocumentRecord } from '../../model/properties/index.js'
import { withoutHiddenIds } from '../collections/index.js'
import { getAcls, hasPermission, type Session } from '../documents/index.js'
import { documentXml } from './document-xml.js'
import { xmlBytes } from './xml-text.js'

/**
 * The XML of a document for its reader, in UTF-8: without hidden ids, with its ACLs only for callers who may read them.
 *
 * @throws tooLarge beyond 64 MiB.
 */
export const readableXml = async (session: Session, document: DocumentRecord): Promise<Uint8Array> => {
  const isOpen = await hasPermission(session, document, 'ReadSecurity')
  const [shown = document] = await withoutHiddenIds(session, [document])
  return xmlBytes(documentXml(session, shown, isOpen ? await getAcls(session, document) : []))
}
