import { createConcurrencyLimits } from './concurrency-limits.js'

/** A semaphore whose places are shared fairly among owners. */
export type FairSemaphore = {
  /**
   * Takes a place, as soon as its owner may.
   *
   * @param refusal when no place was found in time.
   * @returns what gives it back, once.
   */
  enter(owner: string, refusal: (owner: string) => Error): Promise<() => void>
  /**
   * Runs work in a place, as soon as its owner may take one.
   *
   * @param refusal of work that no place was found for in time; it is not started.
   */
  within<Result>(
    owner: string,
    work: () => Promise<Result>,
    refusal: (owner: string) => Error,
  ): Promise<Result>
}

type Waiting = { owner: string; begin(release: () => void): void }

/**
 * @param places number of places for all owners together.
 * @param waitTimeoutMs longest wait for a place, milliseconds.
 */
export const createFairSemaphore = ({
  places,
  waitTimeoutMs,
}: {
  places: number
  waitTimeoutMs: number
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

  const waitFor = (owner: string, refusal: (owner: string) => Error): Promise<() => void> =>
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
        reject(refusal(owner))
      }, waitTimeoutMs)
      queue.add(waiting)
    })

  const leaving = (release: () => void) => (): void => {
    release()
    if (queue.size > 0) admit()
  }

  return {
    enter: async (owner, refusal) => leaving(limits.take(owner) ?? (await waitFor(owner, refusal))),
    within: async (owner, work, refusal) => {
      // Where a place is free the work begins at once, not behind what else waits to go on.
      const leave = leaving(limits.take(owner) ?? (await waitFor(owner, refusal)))
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
