import { fail } from '../errors/index.js'
import { createConcurrencyLimits } from './concurrency-limits.js'

/** A semaphore whose places are shared fairly among owners. */
export type FairSemaphore = {
  /**
   * Runs work in a place, as soon as its owner may take one.
   *
   * @throws unavailable after the timeout, with the work not started. What the work throws.
   */
  within<Result>(owner: string, work: () => Promise<Result>): Promise<Result>
}

type Waiting = { owner: string; begin(release: () => void): void }

/**
 * @param places number of places for all owners together.
 * @param waitTimeoutMs longest wait for a place, milliseconds.
 * @param what plural noun for the work, for messages: `transactions`.
 */
export const createFairSemaphore = ({
  places,
  waitTimeoutMs,
  what,
}: {
  places: number
  waitTimeoutMs: number
  what: string
}): FairSemaphore => {
  const limits = createConcurrencyLimits(places)
  const queue = new Set<Waiting>()

  /** Starts the first waiting work that a released place allows. */
  const admit = (): void => {
    for (const waiting of queue) {
      const release = limits.take(waiting.owner)
      if (!release) continue
      queue.delete(waiting)
      waiting.begin(release)
    }
  }

  const waitFor = (owner: string): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner,
        begin: (release) => {
          clearTimeout(timer)
          resolve(release)
        },
      }
      const timer = setTimeout(() => {
        queue.delete(waiting)
        const message = `User ${owner} has reached the limit of concurrent ${what}; try again later`
        reject(fail('unavailable', message, { retryAfter: 1 }))
      }, waitTimeoutMs)
      queue.add(waiting)
    })

  return {
    within: async (owner, work) => {
      const release = limits.take(owner) ?? (await waitFor(owner))
      try {
        return await work()
      } finally {
        release()
        if (queue.size > 0) admit()
      }
    },
  }
}
