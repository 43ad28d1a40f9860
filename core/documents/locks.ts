import { fail } from '../errors/index.js'
import { requirePermission } from './access.js'
import { documentEvent } from './events.js'
import type { Session } from './session.js'
import type { DocumentRecord } from './types.js'
import { staleDocument } from './update.js'

/**
 * Locks a document for its principal, who alone may write it from then on.
 *
 * @throws conflict when it is locked already, by whomever; forbidden without `WriteProperties`.
 */
export const lockDocument = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  if (document.lockOwner)
    throw fail(
      'conflict',
      `Document already locked by ${document.lockOwner}: ${document.path ?? document.id}`,
    )
  await requirePermission(session, document, 'WriteProperties')
  if (document.isVersion)
    throw fail('badRequest', `Document ${document.id} is a version and cannot be locked`)
  return changeLock(
    session,
    document,
    { lockOwner: session.principal.name, lockedAt: session.now },
    'documentLocked',
  )
}

/**
 * Takes a lock away. The owner may, and who holds `Unlock`; a document that is not locked stays as it is.
 */
export const unlockDocument = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  if (!document.lockOwner) return document
  if (document.lockOwner !== session.principal.name) await requirePermission(session, document, 'Unlock')
  return changeLock(session, document, { lockOwner: null, lockedAt: null }, 'documentUnlocked')
}

const changeLock = async (
  session: Session,
  document: DocumentRecord,
  columns: Pick<DocumentRecord, 'lockOwner' | 'lockedAt'>,
  event: string,
): Promise<DocumentRecord> => {
  const changed = await session.store.update(
    { id: document.id, columns, isUserChange: false, expectedSystemToken: document.systemToken },
    [documentEvent(event, document)],
  )
  if (!changed) throw staleDocument(document.id)
  return changed
}
