import type { DocumentRecord, DocumentRef } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  beginChange,
  changeDocument,
  documentEvent,
  emit,
  keepReadable,
  type Placed,
  receivingFolder,
  removeDocument,
  requirePermission,
  type Session,
  seriesOf,
  staleDocument,
  targetOf,
} from '../documents/index.js'
import { checkIn } from '../versioning/index.js'
import { createProxy } from './proxy-record.js'

/** The version to show: a version itself, what a proxy shows, a live document's version as it is now. */
const versionToShow = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  if (document.isVersion) return document
  if (document.isProxy) {
    const target = await targetOf(session, document)
    if (target.isVersion) return target
    return versionToShow(session, target)
  }
  if (document.isCheckedIn && document.baseVersionId) {
    const version = await session.stores.documents.get(document.baseVersionId)
    if (version) return version
  }
  return (await checkIn(session, document, { increment: 'MINOR' })).version
}

/** Points a proxy to another version of the same document. */
const retarget = async (
  session: Session,
  proxy: DocumentRecord,
  version: DocumentRecord,
): Promise<DocumentRecord> => {
  const held = await session.stores.proxies.holdTarget(version.id)
  // Again: where it is the target already, locking it has touched its proxies.
  const current = await session.stores.documents.get(proxy.id)
  if (!held || !current) throw staleDocument(version.id)
  const cleared = Object.keys(current.properties).filter((key) => !(key in held.properties))
  return changeDocument(
    session,
    current,
    {
      properties: { ...Object.fromEntries(cleared.map((key) => [key, null])), ...held.properties },
      columns: {
        proxyTargetId: held.id,
        facets: held.facets,
        lifecycleState: held.lifecycleState,
        isCheckedIn: held.isCheckedIn,
        majorVersion: held.majorVersion,
        minorVersion: held.minorVersion,
        versionLabel: held.versionLabel,
        versionDescription: held.versionDescription,
        versionCreatedAt: held.versionCreatedAt,
        isLatestVersion: held.isLatestVersion,
        isLatestMajorVersion: held.isLatestMajorVersion,
        baseVersionId: held.baseVersionId,
        lockOwner: null,
        lockedAt: null,
      },
    },
    [documentEvent('documentProxyUpdated', current, { target: held.id })],
  )
}

/**
 * The one proxy to point elsewhere; several are replaced by a new one. One that the
 * principal may not see stays as it is: else publishing would reveal it, and change it.
 *
 * @throws forbidden for one that may be seen, and neither changed nor, of several, removed.
 */
const existingProxy = async (
  session: Session,
  { document, folder }: { document: DocumentRecord; folder: Placed },
): Promise<DocumentRecord | undefined> => {
  const found = await keepReadable(session, await session.stores.proxies.list(seriesOf(document), folder.id))
  const proxies = found.filter(
    ({ proxyTargetId, proxyVersionSeriesId }) => proxyTargetId !== proxyVersionSeriesId,
  )
  const [first] = proxies
  if (first && proxies.length === 1) {
    await requirePermission(session, first, 'WriteProperties')
    return first
  }
  for (const proxy of proxies) await removeDocument(session, proxy)
  return undefined
}

/**
 * Shows a document in a section, as it is now: a live document that was changed since its last version is
 * checked in as a minor one. Two who publish the same document at once leave one proxy.
 *
 * @param override whether an existing proxy of the document is pointed to the version; else another
 * one is created.
 * @returns the proxy.
 * @throws forbidden without `Read` on the document, `AddChildren` on the section, `WriteProperties` on a proxy that
 * is pointed elsewhere, or `WriteVersion` when a version has to be created; badRequest for a target that takes no
 * children and for documents that are not versionable.
 */
export const publishDocument = async (
  session: Session,
  document: DocumentRecord,
  { target, override = true }: { target: DocumentRef; override?: boolean },
): Promise<DocumentRecord> => {
  beginChange(session)
  await requirePermission(session, document, 'Read')
  // Locked before the section is searched, so that a concurrent publication finds the proxy of the first.
  const live = await session.stores.documents.get(seriesOf(document), 'write')
  const current = live && live.id === document.id ? live : document
  if (current.isTrashed)
    throw fail('badRequest', `Document ${current.path ?? current.id} is in the trash and cannot be published`)
  const folder = await receivingFolder(session, target)
  const version = await versionToShow(session, current)
  const existing = override ? await existingProxy(session, { document, folder }) : undefined
  const proxy = existing
    ? await retarget(session, existing, version)
    : await createProxy(session, { target: version, folder, name: document.name })
  const published = { proxy: proxy.id, section: folder.id, sectionPath: folder.path, version: version.id }
  const announced = existing
    ? proxy
    : await emit(session, proxy, [documentEvent('documentProxyPublished', proxy, published)])
  await emit(session, folder, [documentEvent('sectionContentPublished', folder, published)])
  await emit(session, document, [documentEvent('documentPublished', document, published)])
  return announced
}
