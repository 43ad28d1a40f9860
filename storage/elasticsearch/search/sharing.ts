import type { Principal } from '../../../core/access/security/index.js'
import { createFairSemaphore, tooManyAtOnce } from '../../../core/platform/limits/index.js'

/** As many as Elasticsearch works on at the same time on two processors. */
const SEARCHES = 4

/** How long a search waits for its turn, milliseconds. */
const WAIT_MS = 10_000

const tooMany = tooManyAtOnce('searches')

/** Runs a search of somebody in its turn. @throws tooManyRequests when that does not come in time. */
export type Sharing = <Result>(
  principal: Pick<Principal, 'isAdministrator' | 'name'>,
  search: () => Promise<Result>,
) => Promise<Result>

/** Leaves a part of the engine to others, whatever one user asks; administrators take what they need. */
export const createSharing = (): Sharing => {
  const places = createFairSemaphore({ places: SEARCHES, waitTimeoutMs: WAIT_MS })
  return (principal, search) =>
    principal.isAdministrator ? search() : places.within(principal.name, search, tooMany)
}
