import type { DocumentRecord } from '../../model/properties/index.js'
import { getDocument, type Session, seriesOf } from '../documents/index.js'

/**
 * The live document of a proxy or a version; any other document itself.
 *
 * @throws notFound when it is gone or may not be browsed, forbidden without `Read`.
 */
export const getSourceDocument = async (
  session: Session,
  document: DocumentRecord,
): Promise<DocumentRecord> => {
  const id = seriesOf(document)
  return id === document.id ? document : getDocument(session, id)
}
