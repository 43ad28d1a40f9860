import type { DocumentRecord } from '../../../../model/properties/index.js'
import { fail } from '../../../../platform/errors/index.js'
import { requirePermission } from '../../access/access.js'
import { emitCommentRemoved } from '../../access/comment-rights.js'
import { claimSubtree } from '../../access/subtree.js'
import { announce, documentEvent, emit, notifyListeners } from '../../events.js'
import type { Session } from '../../session.js'
import { beginChange } from '../begin.js'

/**
 * Removes a document for good, with all below it and all its versions but those that are published elsewhere.
 *
 * @throws forbidden without `Remove` on every document concerned and `RemoveChildren` on the parent,
 * badRequest for the root, conflict while a live proxy elsewhere shows something of it.
 */
export const removeDocument = async (session: Session, document: DocumentRecord): Promise<void> => {
  beginChange(session)
  if (document.isVersion) return removeVersion(session, document)
  const { hasTargets } = await claimSubtree(session, document)
  const outside = hasTargets ? await session.stores.subtrees.countProxiesFromOutside(document) : 0
  // The message says neither how many nor where: the caller may not be allowed to see them.
  if (outside > 0)
    throw fail(
      'conflict',
      `Document ${document.path ?? document.id} cannot be removed: a live proxy elsewhere shows it or something below it`,
    )
  await announce(session, 'aboutToRemove', document)
  const title = document.properties['dc:title'] ?? document.name
  const options = { docTitle: title, ...(document.isProxy && { target: document.proxyTargetId }) }
  const events = [documentEvent(document.isProxy ? 'proxyRemoved' : 'documentRemoved', document, options)]
  await emitCommentRemoved(session, document)
  await session.stores.collections.leave(document)
  await session.stores.subtrees.remove(document, events)
  await notifyListeners(session, document, events)
}

/** A version that is published, or the one that a document is checked in as, is still in use. */
const removeVersion = async (session: Session, version: DocumentRecord): Promise<void> => {
  const live = version.versionSeriesId
    ? await session.stores.documents.get(version.versionSeriesId, 'write')
    : undefined
  if (live) await requirePermission(session, live, 'WriteVersion')
  else if (!session.principal.isAdministrator) {
    await requirePermission(session, version, 'Browse')
    throw fail('forbidden', `Version ${version.id} has lost its document: only administrators may remove it`)
  }
  if (live?.isCheckedIn && live.baseVersionId === version.id)
    throw fail('conflict', `Document ${live.path ?? live.id} is checked in as version ${version.id}`)
  const held = await session.stores.documents.get(version.id, 'structure')
  if (!held) throw fail('notFound', version.id)
  const proxies = await session.stores.proxies.list(version.versionSeriesId ?? version.id)
  if (proxies.some(({ proxyTargetId }) => proxyTargetId === version.id))
    throw fail('conflict', `Version ${version.id} is published and cannot be removed`)
  await announce(session, 'aboutToRemoveVersion', version)
  await session.stores.collections.leave(version)
  await session.stores.versions.remove(version, [])
  const about = live ?? version
  await emit(session, about, [
    documentEvent('versionRemoved', about, { comment: version.versionLabel, version: version.id }),
  ])
}
