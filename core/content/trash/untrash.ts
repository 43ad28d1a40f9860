import type { DocumentRecord } from '../../model/properties/index.js'
import {
  beginChange,
  claimSubtree,
  documentEvent,
  emit,
  relocate,
  requirePermission,
  type Session,
  staleDocument,
  untrashedName,
} from '../documents/index.js'
import { placeOf } from './place.js'

/** Restores one document's name and unmarks it; also everything below it when `isWhole`. */
const restore = async (
  session: Session,
  document: DocumentRecord,
  { longestPath, isWhole, comment }: { longestPath: number; isWhole: boolean; comment: string | null },
): Promise<DocumentRecord> => {
  const name = untrashedName(document.name)
  if (name !== document.name) {
    const place = { ...(await placeOf(session, document)), name, longestPath }
    const named = await relocate(session, document, { ...place, ...(isWhole && { isTrashed: () => false }) })
    if (!isWhole) await unmark(session, named)
  } else if (isWhole) await session.stores.subtrees.markTrashed(document, false)
  else await unmark(session, document)
  const restored = await session.stores.documents.get(document.id)
  if (!restored) throw staleDocument(document.id)
  return emit(session, restored, [
    documentEvent('documentUntrashed', restored, { from: document.path, comment }),
  ])
}

const unmark = async (session: Session, { id, systemToken }: DocumentRecord): Promise<void> => {
  const changed = await session.stores.documents.update(
    { id, columns: { isTrashed: false }, isUserChange: false, expectedSystemToken: systemToken },
    [],
  )
  if (!changed) throw staleDocument(id)
}

/** The trashed documents above one, the topmost first. */
const trashedAbove = async (session: Session, document: DocumentRecord): Promise<DocumentRecord[]> => {
  const above: DocumentRecord[] = []
  for (let id = document.parentId; id !== null; ) {
    const parent: DocumentRecord | undefined = await session.stores.documents.get(id)
    if (!parent?.isTrashed) break
    above.unshift(parent)
    id = parent.parentId
  }
  return above
}

/**
 * Takes a document out of the trash with all that was trashed with it, under its former name or, when that is
 * taken, an alternative. Its trashed ancestors are restored too, without their other descendants. What had been
 * trashed by itself before stays in the trash. A document that is not in the trash stays as it is.
 *
 * @param comment reaches the events.
 * @throws forbidden without `Remove` on the whole and `RemoveChildren` on the parent.
 */
export const untrashDocument = async (
  session: Session,
  document: DocumentRecord,
  { comment = null }: { comment?: string | null } = {},
): Promise<DocumentRecord> => {
  beginChange(session)
  await requirePermission(session, document, 'Remove')
  if (!document.isTrashed) return document
  const above = await trashedAbove(session, document)
  // The topmost is locked with all below it, since its name is in all their paths.
  const top = above[0]
  const around = top && (await session.stores.subtrees.lock(top))
  const own = await claimSubtree(session, document)
  const longestPath = Math.max(around?.longestPath ?? 0, own.longestPath)
  for (const { id } of above) {
    const current = await session.stores.documents.get(id)
    if (!current) throw staleDocument(document.id)
    if (current.isTrashed) await restore(session, current, { longestPath, isWhole: false, comment })
  }
  const current = await session.stores.documents.get(document.id)
  if (!current) throw staleDocument(document.id)
  return current.isTrashed ? restore(session, current, { longestPath, isWhole: true, comment }) : current
}
