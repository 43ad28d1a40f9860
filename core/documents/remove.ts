import { documentEvent } from './events.js'
import type { Session } from './session.js'
import { claimSubtree } from './subtree.js'
import type { DocumentRecord } from './types.js'

/**
 * Removes a document for good, with all below it and all its versions.
 *
 * @throws forbidden without `Remove` on every document concerned and `RemoveChildren` on the parent,
 * badRequest for the root.
 */
export const removeDocument = async (session: Session, document: DocumentRecord): Promise<void> => {
  await claimSubtree(session, document)
  await session.store.leaveCollections(document)
  await session.store.removeSubtree(document, [documentEvent('documentRemoved', document)])
}
