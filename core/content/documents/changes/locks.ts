import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { requirePermission } from '../access/access.js'
import { changeDocument, documentEvent } from '../events.js'
import type { Session } from '../session.js'
import { onTarget } from './proxies.js'

/**
 * Locks a document for its principal, who alone may write it from then on. A live proxy and its target share
 * one lock.
 *
 * @throws conflict when it is locked already, by anybody; forbidden without `WriteProperties`.
 */
export const lockDocument = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  if (document.lockOwner)
    throw fail(
      'conflict',
      `Document already locked by ${document.lockOwner}: ${document.path ?? document.id}`,
    )
  await requirePermission(session, document, 'WriteProperties')
  if (document.isProxy) return onTarget(session, document, (target) => lockDocument(session, target))
  if (document.isVersion)
    throw fail('badRequest', `Document ${document.id} is a version and cannot be locked`)
  return changeDocument(
    session,
    document,
    { columns: { lockOwner: session.principal.name, lockedAt: session.now } },
    [documentEvent('documentLocked', document, { lockOwner: session.principal.name })],
  )
}

/**
 * Removes a lock. Allowed for its owner and holders of `Unlock`; a document without a lock stays as it is.
 *
 * @throws forbidden.
 */
export const unlockDocument = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  if (!document.lockOwner) return document
  if (document.lockOwner !== session.principal.name) await requirePermission(session, document, 'Unlock')
  if (document.isProxy) return onTarget(session, document, (target) => unlockDocument(session, target))
  return changeDocument(session, document, { columns: { lockOwner: null, lockedAt: null } }, [
    documentEvent('documentUnlocked', document, { lockOwner: document.lockOwner }),
  ])
}
