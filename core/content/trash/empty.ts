import { quoteNxql } from '../../model/nxql/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { fail, requireAtomic } from '../../platform/errors/index.js'
import { queryIds, removeDocument, type Session } from '../documents/index.js'

const PAGE = 1_000

const trashIn = ({ id }: DocumentRecord): string =>
  `SELECT * FROM Document WHERE ecm:parentId = ${quoteNxql(id)} AND ecm:isTrashed = 1`

/** How many documents `emptyTrash` removes, with what is below them. Of more than `most` only so many are counted. */
export const countTrash = async (session: Session, parent: DocumentRecord, most: number): Promise<number> => {
  const { documents, subtrees } = session.stores
  let count = (await queryIds(session, trashIn(parent), most + 1)).length
  if (count > most) return count
  for (const id of await queryIds(session, `${trashIn(parent)} AND ecm:mixinType = 'Folderish'`, most)) {
    const folder = await documents.get(id)
    if (folder) count += await subtrees.countBelow(folder, most - count + 1)
    if (count > most) break
  }
  return count
}

/**
 * Removes for good what is in the trash directly under a folder, as far as the principal may see it.
 *
 * @returns how many documents, without what was below them.
 * @throws badRequest for what is not a folder; forbidden, with nothing removed, for a document that may not be removed.
 */
export const emptyTrash = async (session: Session, parent: DocumentRecord): Promise<number> => {
  requireAtomic(session)
  if (!session.model.facetsOf(parent.type, parent.facets).includes('Folderish'))
    throw fail('badRequest', `parent: ${parent.path ?? parent.id} is not a folder`)
  let count = 0
  for (;;) {
    const ids = await queryIds(session, trashIn(parent), PAGE)
    for (const id of ids) {
      const document = await session.stores.documents.get(id)
      // Somebody may have taken it back since the query; one that is taken back later has another path than is claimed.
      if (document?.isTrashed) await removeDocument(session, document)
    }
    count += ids.length
    if (ids.length < PAGE) return count
  }
}
