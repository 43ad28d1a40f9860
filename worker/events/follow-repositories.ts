import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '../../runtime/index.js'
import type { Database } from '../../storage/postgres/index.js'

/** What follows one repository: works once, and says how many milliseconds to wait before the next time. */
export type Follow = () => Promise<number>

const forEver = async (
  { logger }: Platform,
  work: Follow,
  { signal, failure, failedMs }: { signal: AbortSignal; failure: string; failedMs: number },
): Promise<void> => {
  while (!signal.aborted) {
    let waitMs = failedMs
    try {
      waitMs = await work()
    } catch (error) {
      logger.warn(error, failure)
    }
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Follows every repository of a process until it is stopped; work that fails is logged, and done again later.
 *
 * @param follow makes the work of one repository.
 * @param options `failure`: the line of the log; `failedMs`: milliseconds to wait after it.
 * @returns a function that stops it, and resolves when all work has ended.
 */
export const followRepositories = (
  platform: Platform,
  follow: (own: Platform, database: Database) => Follow,
  options: { failure: string; failedMs: number },
): (() => Promise<void>) => {
  const ending = new AbortController()
  const following = [...platform.repositories.values()].map((own, index) =>
    forEver(own, follow(own, platform.databases[index]!), { ...options, signal: ending.signal }),
  )
  return async () => {
    ending.abort()
    await Promise.all(following)
  }
}
