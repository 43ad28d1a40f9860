import { fail } from '../../../platform/errors/index.js'
import type { ClientKey } from './fair-queue.js'

/** Wrong passwords of one name from one address that cost nothing: people mistype. */
const FREE = 5

/** Milliseconds between two tries after them: twice as long with each, up to the longest. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 2_000

/** Longest wait of a try, in milliseconds; it is refused instead of waiting longer. */
const LONGEST_WAIT = 10_000

/** Milliseconds after the last wrong password after which they are forgotten. */
const MEMORY = 600_000

const MAX_KNOWN = 10_000

type Tries = { wrong: number; underWay: number; nextAt: number; lastAt: number }

/** Slows down whoever tries passwords for a name. */
export type LoginThrottle = {
  /**
   * Checks a password: later when this name failed to log in from this address before.
   *
   * @param check receives whether the client is throttled.
   * @throws tooManyRequests when it would wait too long; it is then not checked. What the check throws.
   */
  attempt(
    client: Omit<ClientKey, 'isThrottled'>,
    check: (options: { isThrottled: boolean }) => Promise<boolean>,
  ): Promise<boolean>
}

const pauseAfter = (tries: number): number =>
  tries <= FREE ? 0 : Math.min(FIRST_PAUSE * 2 ** (tries - FREE - 1), LONGEST_PAUSE)

/**
 * Counts wrong passwords by name and address: nobody else's tries delay one's own, and a right one resets the count.
 * Tries in progress count as wrong, else parallel ones would be free.
 */
export const createLoginThrottle = ({
  now,
  sleep,
}: {
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
}): LoginThrottle => {
  const known = new Map<string, Tries>()

  const evict = (): void => {
    for (const [key, { underWay }] of known) {
      if (known.size < MAX_KNOWN) return
      if (underWay === 0) known.delete(key)
    }
  }

  const triesOf = (key: string): Tries => {
    const before = known.get(key)
    if (before && (before.underWay > 0 || before.lastAt + MEMORY > now())) return before
    known.delete(key)
    evict()
    const tries = { wrong: 0, underWay: 0, nextAt: 0, lastAt: now() }
    known.set(key, tries)
    return tries
  }

  /** Reserves the time of the next try. @returns milliseconds until then. */
  const reserve = (tries: Tries): number => {
    const at = Math.max(now(), tries.nextAt)
    const wait = at - now()
    if (wait > LONGEST_WAIT)
      throw fail('tooManyRequests', 'Too many wrong passwords were sent for this user; try again later', {
        retryAfter: Math.ceil(wait / 1000),
      })
    tries.nextAt = at + pauseAfter(tries.wrong + tries.underWay + 1)
    return wait
  }

  return {
    attempt: async ({ address, name }, check) => {
      const key = `${address} ${name}`
      const tries = triesOf(key)
      const wait = reserve(tries)
      const isThrottled = tries.wrong + tries.underWay >= FREE
      tries.underWay++
      try {
        if (wait > 0) await sleep(wait)
        const isRight = await check({ isThrottled })
        if (isRight) known.delete(key)
        else tries.wrong++
        return isRight
      } finally {
        tries.underWay--
        tries.lastAt = now()
      }
    },
  }
}
