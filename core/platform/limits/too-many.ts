import { fail } from '../errors/index.js'

/** Seconds after which a client may try again. */
const LATER = 1

/** What refuses work that waited for its turn in vain: says whose, and of what. */
export const tooManyAtOnce =
  (what: string) =>
  (owner: string): Error =>
    fail('tooManyRequests', `User ${owner} has reached the limit of concurrent ${what}; try again later`, {
      retryAfter: LATER,
      retryable: true,
    })
