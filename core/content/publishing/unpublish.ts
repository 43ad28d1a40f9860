import type { DocumentRecord } from '../../model/properties/index.js'
import { requireAtomic } from '../../platform/errors/index.js'
import { hasPermission, keepReadable, removeDocument, type Session, seriesOf } from '../documents/index.js'

/** Proxies of a document that its principal may see; those of one version when a version is passed. */
const visibleProxies = async (session: Session, document: DocumentRecord): Promise<DocumentRecord[]> => {
  const proxies = await keepReadable(session, await session.stores.proxies.list(seriesOf(document)))
  return document.isVersion ? proxies.filter(({ proxyTargetId }) => proxyTargetId === document.id) : proxies
}

/**
 * Removes every proxy of a document, live ones included, as far as the principal may see them.
 *
 * @throws forbidden, with nothing removed, when one of them may not be removed.
 */
export const removeProxies = async (session: Session, document: DocumentRecord): Promise<void> => {
  requireAtomic(session)
  for (const proxy of await visibleProxies(session, document)) await removeDocument(session, proxy)
}

/** Removes the publications of a document that the principal may remove; others and live proxies stay. */
export const unpublishAll = async (session: Session, document: DocumentRecord): Promise<void> => {
  requireAtomic(session)
  for (const proxy of await visibleProxies(session, document)) {
    if (proxy.proxyTargetId === proxy.proxyVersionSeriesId) continue
    const parent = proxy.parentId ? await session.stores.documents.get(proxy.parentId) : undefined
    const isRemovable =
      (await hasPermission(session, proxy, 'Remove')) &&
      (!parent || (await hasPermission(session, parent, 'RemoveChildren')))
    if (isRemovable) await removeDocument(session, proxy)
  }
}
