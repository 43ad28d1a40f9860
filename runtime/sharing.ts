import { fail } from '../core/platform/errors/index.js'
import {
  createFairSemaphore,
  createSharing,
  type Sharing,
  tooManyAtOnce,
} from '../core/platform/limits/index.js'

const tooManyTransactions = (owner: string) =>
  fail('unavailable', `User ${owner} has reached the limit of concurrent transactions; try again later`, {
    retryAfter: 1,
  })

const tooManyQueries = tooManyAtOnce('queries')

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
 * Shares the connections of a process among users.
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
  const sharing = (number: number, refusal: (owner: string) => Error): Sharing =>
    createSharing(createFairSemaphore({ places: number, waitTimeoutMs }), refusal)
  const connections = createFairSemaphore({ places, waitTimeoutMs })
  const ofQueries = sharing(queriesOf(places), tooManyQueries)
  const onConnections = createSharing(connections, tooManyQueries)
  return {
    transactions: createSharing(connections, tooManyTransactions),
    queries: (owner, work) => ofQueries(owner, () => onConnections(owner, work)),
    reads: sharing(READS, tooManyAtOnce('reads of documents')),
  }
}
