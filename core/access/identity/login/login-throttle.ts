import { hash } from 'node:crypto'
import { fail } from '../../../platform/errors/index.js'
import type { ClientKey } from './fair-queue.js'

/** Wrong passwords of one name from one address that cost nothing: people mistype. */
const FREE = 5

/** Milliseconds between two tries after them: twice as long with each, up to the longest. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 2_000

/** Longest wait of a try, in milliseconds; it is refused instead of waiting longer. */
const LONGEST_WAIT = 10_000

/** Milliseconds after the last try after which they are forgotten. */
const MEMORY = 600_000

/**
 * Tries of a client since its last right password, those that are under way included; moments in milliseconds.
 * `nextAt`: when another is allowed, or counting ends; a day later they may be forgotten.
 */
export type Tries = { tries: number; nextAt: number; lastAt: number }

/** The contract of the store of tries, which all processes share. */
export type LoginTries = {
  /**
   * Replaces what is known of a client, while nobody else does.
   *
   * @param change called again when somebody was quicker. Without `tries` the client is forgotten; the tries that it
   *   received are left as they are.
   * @returns the result of the change.
   */
  change<Result>(
    client: string,
    change: (known: Tries | undefined) => { tries: Tries | undefined; result: Result },
  ): Promise<Result>
  /** Forgets every client whose key begins with a text. */
  forget(prefix: string): Promise<void>
}

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

/** Of the same length whatever is sent as a name. */
const keyOf = ({ address, name }: Omit<ClientKey, 'isThrottled'>): string =>
  hash('sha256', `${address} ${name}`, 'base64url')

/**
 * Counts wrong passwords by name and address: nobody else's tries delay one's own, and a right one resets the count.
 * Tries in progress count as wrong, else parallel ones would be free.
 */
export const createLoginThrottle = ({
  store,
  now,
  sleep,
}: {
  store: LoginTries
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
}): LoginThrottle => {
  /** Counts a try and reserves its time. @returns milliseconds until then, and the number of tries before it. */
  const reserve = (client: string): Promise<{ wait: number; before: number }> =>
    store.change(client, (known) => {
      const time = now()
      const isRemembered = known && known.lastAt + MEMORY > time
      const { tries: before, nextAt } = isRemembered ? known : { tries: 0, nextAt: time }
      const at = Math.max(time, nextAt)
      const wait = at - time
      if (wait > LONGEST_WAIT) return { tries: known, result: { wait, before } }
      const tries = before + 1
      return {
        tries: { tries, nextAt: at + pauseAfter(tries), lastAt: time },
        result: { wait, before },
      }
    })

  return {
    attempt: async (client, check) => {
      const key = keyOf(client)
      const { wait, before } = await reserve(key)
      if (wait > LONGEST_WAIT)
        throw fail('tooManyRequests', 'Too many wrong passwords were sent for this user; try again later', {
          retryAfter: Math.ceil(wait / 1000),
        })
      try {
        if (wait > 0) await sleep(wait)
        const isRight = await check({ isThrottled: before >= FREE })
        if (isRight) await store.change(key, () => ({ tries: undefined, result: undefined }))
        return isRight
      } catch (error) {
        // What could not be checked was not wrong.
        await store.change(key, (known) => ({
          tries: known && { ...known, tries: known.tries - 1 },
          result: undefined,
        }))
        throw error
      }
    },
  }
}
