import type { DocumentRecord, DocumentRef } from '../../model/properties/index.js'
import { fail, requireAtomic } from '../../platform/errors/index.js'
import {
  receivingFolder,
  requirePermission,
  type Session,
  staleDocument,
  targetOf,
} from '../documents/index.js'
import { createProxy } from './proxy-record.js'

/**
 * Shows a live document in another folder too. Its changes show in both folders at once; writing through the
 * proxy needs the rights for it on the document as well.
 *
 * @returns the proxy.
 * @throws badRequest for a version or what shows one, and in the trash; notFound for the folder; forbidden without
 * `Read` on the document or `AddChildren` on the folder.
 */
export const createLiveProxy = async (
  session: Session,
  document: DocumentRecord,
  { target }: { target: DocumentRef },
): Promise<DocumentRecord> => {
  requireAtomic(session)
  await requirePermission(session, document, 'Read')
  const live = await targetOf(session, document)
  if (live.isVersion) throw fail('badRequest', `Document ${document.id} is not live: publish it instead`)
  // Locked, so that it is not trashed between this check and the creation of its proxy.
  const held = await session.stores.documents.get(live.id, 'write')
  if (!held) throw staleDocument(live.id)
  if (held.isTrashed)
    throw fail('badRequest', `Document ${held.path ?? held.id} is in the trash and cannot be shown elsewhere`)
  const folder = await receivingFolder(session, target)
  return createProxy(session, { target: held, folder, name: document.name })
}
