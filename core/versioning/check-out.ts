import {
  type DocumentRecord,
  documentEvent,
  requirePermission,
  type Session,
  staleDocument,
} from '../documents/index.js'
import { fail } from '../errors/index.js'

/** Makes a checked-in document open to change again; one that is checked out already stays as it is. */
export const checkOut = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  await requirePermission(session, document, 'WriteProperties')
  if (document.isVersion)
    throw fail('badRequest', `Document ${document.id} is a version and cannot be checked out`)
  if (!document.isCheckedIn) return document
  const changed = await session.store.update(
    {
      id: document.id,
      columns: { isCheckedIn: false },
      isUserChange: false,
      expectedSystemToken: document.systemToken,
    },
    [documentEvent('documentCheckedOut', document)],
  )
  if (!changed) throw staleDocument(document.id)
  return changed
}
