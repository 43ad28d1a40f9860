import { createFairSemaphore, createSharing, tooManyAtOnce } from '../../core/platform/limits/index.js'
import type { RequestContext } from './environment.js'
import { requireConnected } from './outgoing.js'

/** Lists of documents that are answered at a time, and how long one waits for its turn, milliseconds. */
const turns = createFairSemaphore({ places: 4, waitTimeoutMs: 10_000 })

const sharing = createSharing(turns, tooManyAtOnce('lists of documents'))

/**
 * Answers a list of documents in its turn, so that the lists of one user hold up nobody else.
 *
 * @param answer reads and renders it; not called for who has gone by then.
 * @throws tooManyRequests when no turn comes in time, ClientGone, and what the answer throws.
 */
export const inListTurn = <Answer>(c: RequestContext, answer: () => Promise<Answer>): Promise<Answer> =>
  sharing(c.get('principal'), async () => {
    requireConnected(c)
    return answer()
  })
