import { fail } from '../../../platform/errors/index.js'
import type { Lane } from './fair-queue.js'

/** Wrong passwords of one name from one address that cost nothing: people mistype. */
const FREE = 5

/** Milliseconds between two tries behind them: twice as long with each, up to the longest. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 2_000

/** As long as a try may wait for its turn before it is refused instead. */
const LONGEST_WAIT = 10_000

/** Wrong passwords are forgotten when there was none for so long. */
const MEMORY = 600_000

const MOST_KNOWN = 10_000

type Tries = { wrong: number; underWay: number; nextAt: number; lastAt: number }

/** Slows down whoever tries passwords for a name. */
export type Guesses = {
  /**
   * Checks a password: later when this name was tried in vain from this address before.
   *
   * @param check is told whether it is among those who have tried in vain.
   * @throws tooManyRequests when its turn would be too far away; it is then not checked. What the check throws.
   */
  attempt(
    lane: Omit<Lane, 'isSuspect'>,
    check: (options: { isSuspect: boolean }) => Promise<boolean>,
  ): Promise<boolean>
}

const pauseAfter = (tries: number): number =>
  tries <= FREE ? 0 : Math.min(FIRST_PAUSE * 2 ** (tries - FREE - 1), LONGEST_PAUSE)

/**
 * Remembers wrong passwords by name and address: nobody else's tries delay one's own, and a right one ends it. Tries
 * that are under way count as wrong, or as many as are sent at once would be free.
 */
export const createGuesses = ({
  now,
  sleep,
}: {
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
}): Guesses => {
  const known = new Map<string, Tries>()

  const makeRoom = (): void => {
    for (const [key, { underWay }] of known) {
      if (known.size < MOST_KNOWN) return
      if (underWay === 0) known.delete(key)
    }
  }

  const triesOf = (key: string): Tries => {
    const before = known.get(key)
    if (before && (before.underWay > 0 || before.lastAt + MEMORY > now())) return before
    known.delete(key)
    makeRoom()
    const tries = { wrong: 0, underWay: 0, nextAt: 0, lastAt: now() }
    known.set(key, tries)
    return tries
  }

  /** Takes the next place in time. @returns milliseconds until then. */
  const reserve = (tries: Tries): number => {
    const at = Math.max(now(), tries.nextAt)
    const wait = at - now()
    if (wait > LONGEST_WAIT)
      throw fail('tooManyRequests', 'Too many wrong passwords were sent for this user: try again later', {
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
      const isSuspect = tries.wrong + tries.underWay >= FREE
      tries.underWay++
      try {
        if (wait > 0) await sleep(wait)
        const isRight = await check({ isSuspect })
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
