import type { DocumentRecord } from '../../model/properties/index.js'
import {
  beginChange,
  claimSubtree,
  documentEvent,
  emit,
  relocate,
  removeDocument,
  requirePermission,
  type Session,
  staleDocument,
  trashedName,
} from '../documents/index.js'
import { placeOf } from './place.js'

/**
 * Puts a document in the trash with all below it: it stays in its folder, under a name that frees its own. Trashed
 * documents stay as they are. Proxies and versions have nothing to be restored to and are removed at once.
 *
 * @param comment reaches the event.
 * @returns the document in the trash, undefined when it was removed.
 * @throws forbidden without `Remove` on the whole and `RemoveChildren` on the parent, badRequest for the root.
 */
export const trashDocument = async (
  session: Session,
  document: DocumentRecord,
  { comment = null }: { comment?: string | null } = {},
): Promise<DocumentRecord | undefined> => {
  beginChange(session)
  if (document.isProxy || document.path === null) {
    await removeDocument(session, document)
    return undefined
  }
  if (document.isTrashed) {
    await requirePermission(session, document, 'Remove')
    return document
  }
  const { longestPath } = await claimSubtree(session, document)
  const current = await session.stores.documents.get(document.id)
  if (!current) throw staleDocument(document.id)
  if (current.isTrashed) return current
  const trashed = await relocate(session, current, {
    ...(await placeOf(session, current)),
    name: trashedName(current.name, session.now),
    longestPath,
    isTrashed: () => true,
  })
  return emit(session, trashed, [documentEvent('documentTrashed', trashed, { from: document.path, comment })])
}
