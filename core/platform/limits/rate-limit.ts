import { LRUCache } from 'lru-cache'

/** How many of an owner's calls are allowed in one period. */
export type RateLimit = {
  /**
   * Counts a call.
   *
   * @returns whether it is allowed, and of how many calls in the periods before it was not.
   */
  take(owner: string): { isAllowed: boolean; refused: number }
}

const MAX_OWNERS = 10_000

/** @param periodMs milliseconds, from an owner's first call on. */
export const createRateLimit = ({
  calls,
  periodMs,
  now = Date.now,
}: {
  calls: number
  periodMs: number
  now?: () => number
}): RateLimit => {
  const periods = new LRUCache<string, { since: number; taken: number }>({ max: MAX_OWNERS })
  return {
    take: (owner) => {
      const known = periods.get(owner)
      if (!known || now() - known.since >= periodMs) {
        periods.set(owner, { since: now(), taken: 1 })
        return { isAllowed: true, refused: Math.max(0, (known?.taken ?? 0) - calls) }
      }
      known.taken += 1
      return { isAllowed: known.taken <= calls, refused: 0 }
    },
  }
}
