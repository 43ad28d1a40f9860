import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'
import { staleDocument } from './stale.js'

/** Id of the live document that a version or a proxy belongs to; a live document's own. */
export const seriesOf = (document: DocumentRecord): string =>
  document.proxyVersionSeriesId ?? document.versionSeriesId ?? document.id

/** What a proxy shows; any other document itself. */
export const targetOf = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  if (document.proxyTargetId === null) return document
  const target = await session.stores.documents.get(document.proxyTargetId)
  if (!target) throw staleDocument(document.id)
  return target
}

/**
 * Applies to the target what a caller asks of its proxy. Rights on the proxy are not enough: whoever created it
 * elsewhere could grant them to himself.
 *
 * @returns the proxy as it is afterwards.
 * @throws badRequest when it shows a version, what `change` throws.
 */
export const onTarget = async (
  session: Session,
  proxy: DocumentRecord,
  change: (target: DocumentRecord) => Promise<unknown>,
): Promise<DocumentRecord> => {
  const target = await targetOf(session, proxy)
  if (target.isVersion)
    throw fail('badRequest', `Document ${proxy.path ?? proxy.id} shows a version, which is read-only`)
  await change(target)
  const changed = await session.stores.documents.get(proxy.id)
  if (!changed) throw staleDocument(proxy.id)
  return changed
}
