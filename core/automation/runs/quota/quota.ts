import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { OpenRunStore } from '../../run-store/index.js'
import { endedRuns, LAG, type OpenRuns } from './ended-runs.js'

/** How many runs of one user may be open, in all processes together. */
export type RunQuota = {
  /**
   * Counts a run that is to begin.
   *
   * @returns what takes that back when it does not begin: nothing for one that was counted before.
   * @throws tooManyRequests when its caller has reached the quota; administrators have none.
   */
  enter(principal: Principal, runId: string): Promise<() => void>
  /** Reports the end of a run. */
  leave(principal: Principal, runId: string): void
}

/** Minimum interval between two looks for ended runs of a user whose quota is used up, milliseconds. */
const PAUSE = 250

const MAX_KNOWN = 10_000

/**
 * Counts the open runs of users in a store that all processes share. Who waits for a run reports its end; of others the
 * engine is asked when the quota is used up.
 *
 * @param onError told when an end could not be reported, which that look makes up for.
 */
export const createRunQuota = ({
  max,
  runs,
  store,
  onError,
  now = Date.now,
}: {
  max: number
  runs: OpenRuns
  store: OpenRunStore
  onError(error: unknown): void
  now?: () => number
}): RunQuota => {
  const looks = new LRUCache<string, { at: number; done: Promise<void> }>({ max: MAX_KNOWN })

  const look = async (username: string): Promise<void> => {
    const entered = await store.entered(username)
    // When the engine is away, nothing is known to have ended.
    const ended = await endedRuns(runs, username, entered).catch(() => [])
    if (ended.length > 0) await store.leave(ended)
  }

  /** Calls that come soon after a look share it. */
  const looked = (username: string): Promise<void> => {
    const last = looks.get(username)
    if (last && now() - last.at < PAUSE) return last.done
    const done = look(username)
    looks.set(username, { at: now(), done })
    return done
  }

  const remove = (runId: string): void => {
    store.leave([runId]).catch(onError)
  }

  return {
    enter: async ({ name, isAdministrator }, runId) => {
      if (isAdministrator) return () => undefined
      const run = { username: name, runId, max }
      let outcome = await store.enter(run)
      if (outcome === 'full') {
        await looked(name)
        outcome = await store.enter(run)
      }
      if (outcome === 'entered') return () => remove(runId)
      if (outcome === 'known') return () => undefined
      throw fail(
        'tooManyRequests',
        `User ${name} has ${max} open runs, which is the maximum; wait for one to end, or cancel one`,
        { retryAfter: Math.ceil(LAG / 1000) },
      )
    },
    leave: ({ isAdministrator }, runId) => {
      if (!isAdministrator) remove(runId)
    },
  }
}
