import { executeOnceForKey } from '../../../core/automation/run-store/index.js'
import type { Session } from '../../../core/content/documents/index.js'
import type { Platform } from '../../../runtime/index.js'
import type { RequestContext } from '../../edge/index.js'
import { requestKey } from '../../idempotency/index.js'

/**
 * Executes a write request in one transaction: once for its idempotency key, where it has one.
 *
 * @param asked what the request contains besides its method and address, as JSON.
 * @param write executes it without a key. Absent: in a transaction.
 * @param find reads what was written under the key, with the caller's current rights.
 * @throws what the work throws; conflict when the key was used for another request.
 */
export const writeOnce = async <Written extends { id: string }>(
  { c, platform }: { c: RequestContext; platform: Pick<Platform, 'units' | 'withSession' | 'readSession'> },
  {
    asked,
    write = (work) => platform.withSession(c.get('principal'), work),
    find,
  }: {
    asked: () => unknown
    write?: (work: (session: Session) => Promise<Written>) => Promise<Written>
    find(session: Session, id: string): Promise<Written>
  },
  work: (session: Session) => Promise<Written>,
): Promise<Written> => {
  const key = requestKey(c, asked)
  if (!key) return write(work)
  const principal = c.get('principal')
  const once = { principal, key, onEarlier: () => c.set('isReplayed', true) }
  const { id } = await executeOnceForKey(platform.units, once, async ({ session }) => ({
    id: (await work(session)).id,
  }))
  return find(platform.readSession(principal), id)
}
