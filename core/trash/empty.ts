import {
  type DocumentRecord,
  keepReadable,
  removeDocument,
  requireAtomic,
  type Session,
} from '../documents/index.js'
import { fail } from '../errors/index.js'

/**
 * Removes for good what is in the trash directly under a folder, as far as the principal may see it.
 *
 * @returns how many documents, without what was below them.
 * @throws badRequest for what is no folder; forbidden, with nothing removed, for something that may not be removed.
 */
export const emptyTrash = async (session: Session, parent: DocumentRecord): Promise<number> => {
  requireAtomic(session)
  if (!session.model.facetsOf(parent.type, parent.facets).includes('Folderish'))
    throw fail('badRequest', `parent: ${parent.path ?? parent.id} is no folder`)
  const children = await session.store.children(parent.id)
  const trashed = await keepReadable(
    session,
    children.filter(({ isTrashed }) => isTrashed),
  )
  for (const document of trashed) await removeDocument(session, document)
  return trashed.length
}
