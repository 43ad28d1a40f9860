import { fail } from '../errors/index.js'
import { createShares } from './shares.js'

/** Shared places for which their owners wait. */
export type SharedPlaces = {
  /**
   * Does work in a place, as soon as its owner may have one.
   *
   * @throws unavailable when that took too long; the work is then not begun. What the work throws.
   */
  within<Result>(owner: string, work: () => Promise<Result>): Promise<Result>
}

type Waiting = { owner: string; begin(release: () => void): void }

/**
 * @param places how many there are.
 * @param patience how long somebody waits, milliseconds.
 * @param what the work is, for the message of a refusal: several.
 */
export const createSharedPlaces = ({
  places,
  patience,
  what,
}: {
  places: number
  patience: number
  what: string
}): SharedPlaces => {
  const shares = createShares(places)
  const line = new Set<Waiting>()

  /** What one gives back another may take: the first who may. */
  const letIn = (): void => {
    for (const waiting of line) {
      const release = shares.take(waiting.owner)
      if (!release) continue
      line.delete(waiting)
      waiting.begin(release)
    }
  }

  const turnOf = (owner: string): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner,
        begin: (release) => {
          clearTimeout(timer)
          resolve(release)
        },
      }
      const timer = setTimeout(() => {
        line.delete(waiting)
        const message = `${owner} has as many ${what} under way as one user may have, and none has ended in time`
        reject(fail('unavailable', message, { retryAfter: 1 }))
      }, patience)
      line.add(waiting)
    })

  return {
    within: async (owner, work) => {
      const release = shares.take(owner) ?? (await turnOf(owner))
      try {
        return await work()
      } finally {
        release()
        if (line.size > 0) letIn()
      }
    },
  }
}
