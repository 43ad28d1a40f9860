import { quoteNxql } from '../../model/nxql/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { getDocument, queryDocuments, type Session } from '../documents/index.js'

/**
 * The oldest document in a folder of which a condition of NXQL is true, as it is now; versions, proxies and what is in
 * the trash are left out.
 */
export const findChild = async (
  session: Session,
  folder: Pick<DocumentRecord, 'id'>,
  condition: string,
): Promise<DocumentRecord | undefined> => {
  const nxql = `SELECT * FROM Document WHERE ecm:parentId = ${quoteNxql(folder.id)} AND ecm:isTrashed = 0
    AND ecm:isVersion = 0 AND ecm:isProxy = 0 AND (${condition}) ORDER BY dc:created`
  const { entries } = await queryDocuments(session, nxql, { pageSize: 1 })
  // A concurrent transaction may change it: the document found is read again.
  return entries[0] && getDocument(session, entries[0].id)
}
