import { fail } from '../../platform/errors/index.js'
import type { BulkPlace } from './command.js'

/**
 * Whether one more command of a user may be under way. Holds until the transaction ends, so that commands which are
 * given at once count one another. Administrators answer for the server themselves.
 *
 * @param owner whose command it is.
 * @throws tooManyRequests.
 */
export const requireQuota = async (
  { session: { principal }, store, mostOpen }: BulkPlace,
  owner: string,
): Promise<void> => {
  if (principal.isAdministrator) return
  const open = await store.holdOpen(owner)
  if (open >= mostOpen)
    throw fail(
      'tooManyRequests',
      `${open} bulk commands of ${owner} are under way, ${mostOpen} may be: wait for one to end, or abort one`,
    )
}
