import { fail } from '../core/platform/errors/index.js'
import { createFairSemaphore, tooManyAtOnce } from '../core/platform/limits/index.js'
import type { Sharing } from '../storage/postgres/index.js'

const tooManyTransactions = (owner: string) =>
  fail('unavailable', `User ${owner} has reached the limit of concurrent transactions; try again later`, {
    retryAfter: 1,
  })

const tooManyQueries = tooManyAtOnce('queries')

const tooManyReads = tooManyAtOnce('reads of documents')

/**
 * How many documents users have read one by one at the same moment: a large one is the work of a tenth of a second for the
 * process's only thread, and others take their turn between two of them.
 */
const READS = 4

/**
 * How many queries users have under way: each takes a processor of the database for itself, and what others ask for in the
 * meantime gets the smaller a part of it.
 */
const queriesOf = (connections: number): number => Math.max(4, Math.ceil(connections / 4))

/**
 * Shares the connections of a process among users; administrators and the product itself take what they need.
 *
 * @param places connections that there are.
 * @param waitTimeoutMs how long one waits for one, milliseconds.
 */
export const createShares = ({
  places,
  waitTimeoutMs,
}: {
  places: number
  waitTimeoutMs: number
}): { transactions: Sharing; queries: Sharing; reads: Sharing } => {
  const connections = createFairSemaphore({ places, waitTimeoutMs })
  const queries = createFairSemaphore({ places: queriesOf(places), waitTimeoutMs })
  const reads = createFairSemaphore({ places: READS, waitTimeoutMs })
  return {
    transactions: ({ isAdministrator, name }, work) =>
      isAdministrator ? work() : connections.within(name, work, tooManyTransactions),
    queries: ({ isAdministrator, name }, work) =>
      isAdministrator
        ? work()
        : queries.within(name, () => connections.within(name, work, tooManyQueries), tooManyQueries),
    reads: ({ isAdministrator, name }, work) =>
      isAdministrator ? work() : reads.within(name, work, tooManyReads),
  }
}
