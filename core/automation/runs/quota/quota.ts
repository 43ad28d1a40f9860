import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { EnteredRun, OpenRunStore } from '../../run-store/index.js'
import { endedRuns, LAG, type OpenRuns } from './ended-runs.js'

/** How many runs of one user may be open, in all processes together. */
export type RunQuota = {
  /**
   * Counts a run that is to begin.
   *
   * @returns what takes that back when it does not begin: nothing for one that was counted before.
   * @throws tooManyRequests when its caller has reached the quota; administrators have none.
   */
  enter(principal: Principal, runId: string): Promise<() => Promise<void>>
  /** Reports the end of a run. */
  leave(principal: Principal, runId: string): void
}

/** What a quota needs of its process. */
export type QuotaPlace = {
  max: number
  runs: OpenRuns
  store: OpenRunStore
  /** Called when an end could not be reported; the next look makes up for it. */
  onError(error: unknown): void
  now?: () => number
  wait?: (milliseconds: number) => Promise<unknown>
}

type Look = { at: number; done: Promise<void>; isOver: boolean }

/** Minimum interval between two looks for ended runs of a user whose quota is used up, milliseconds. */
const PAUSE = 250

const MAX_KNOWN = 10_000

const ADVICE = {
  runs: 'wait for one to end, or cancel one',
  conversions: 'wait for one to end',
}

/**
 * Counts the open runs of users in a store that all processes share. Who waits for a run reports its end; of others the
 * engine is asked when the quota is used up.
 *
 * @param options `isHeld`: whether one is known to be open without asking the engine.
 */
export const createRunQuota = ({
  max,
  runs,
  store,
  onError,
  now = Date.now,
  wait = sleep,
  what = 'runs',
  isHeld = () => false,
}: QuotaPlace & { what?: keyof typeof ADVICE; isHeld?: (run: EnteredRun) => boolean }): RunQuota => {
  const looks = new LRUCache<string, Look>({ max: MAX_KNOWN })

  const look = async (username: string): Promise<void> => {
    const entered = (await store.entered(username)).filter((run) => !isHeld(run))
    // When the engine is away, nothing is known to have ended.
    const ended = await endedRuns(runs, username, entered).catch(() => [])
    if (ended.length > 0) await store.leave(ended)
  }

  /** Calls that come before a look has ended share it; the next look waits until the pause is over. */
  const looked = (username: string): Promise<void> => {
    const last = looks.get(username)
    if (last && !last.isOver) return last.done
    const pause = last ? Math.max(0, last.at + PAUSE - now()) : 0
    const next: Look = {
      at: now() + pause,
      isOver: false,
      done: (pause === 0 ? look(username) : wait(pause).then(() => look(username))).finally(() => {
        next.isOver = true
      }),
    }
    looks.set(username, next)
    return next.done
  }

  const remove = (runId: string): Promise<void> => store.leave([runId]).catch(onError)
  const keep = async (): Promise<void> => undefined

  return {
    enter: async ({ name, isAdministrator }, runId) => {
      if (isAdministrator) return keep
      const run = { username: name, runId, max }
      let outcome = await store.enter(run)
      if (outcome === 'full') {
        await looked(name)
        outcome = await store.enter(run)
      }
      if (outcome === 'entered') return () => remove(runId)
      if (outcome === 'known') return keep
      throw fail(
        'tooManyRequests',
        `User ${name} has ${max} open ${what}, which is the maximum; ${ADVICE[what]}`,
        { retryAfter: Math.ceil(LAG / 1000) },
      )
    },
    leave: ({ isAdministrator }, runId) => {
      if (!isAdministrator) remove(runId)
    },
  }
}
