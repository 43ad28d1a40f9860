import {
  createFairSemaphore,
  createSharing,
  type Sharing,
  tooManyAtOnce,
} from '../../../core/platform/limits/index.js'

/** As many as Elasticsearch works on at the same time on two processors. */
const SEARCHES = 4

/** How long a search waits for its turn, milliseconds. */
const WAIT_MS = 10_000

/** Leaves a part of the engine to others, whatever one user asks. */
export const shareSearches = (): Sharing =>
  createSharing(createFairSemaphore({ places: SEARCHES, waitTimeoutMs: WAIT_MS }), tooManyAtOnce('searches'))
