import { LRUCache } from 'lru-cache'
import type { Principal } from '../../core/access/security/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { OpenRuns } from './open-runs.js'

/** How many runs of one user may be open. */
export type RunRoom = {
  /**
   * Makes room for a run that is to begin.
   *
   * @throws tooManyRequests when its caller has as many open as one may; administrators may have any number.
   */
  enter(principal: Principal, runId: string): Promise<void>
  /** A run is known to have ended. */
  leave(principal: Principal, runId: string): void
}

/** What is known of a user: the runs that were open then, and what was begun here that may not be told yet. */
type Known = {
  open: Set<string> | undefined
  /** When there was no room for the last time. */
  fullAt: number
  begun: Map<string, number>
  looking: Promise<void> | undefined
}

/** As long as a run may have begun before it is found, milliseconds. */
const LAG = 2_000

/** Between two looks for the runs of a user who has no room. */
const PAUSE = 250

const MOST_KNOWN = 10_000

/** Runs that are asked for one by one at the same time. */
const TOGETHER = 20

/**
 * Looks for a user's open runs when they are first heard of, and when there seem to be as many as may be: what lies
 * between costs nothing. What was begun a moment ago is then asked for by itself, as a list tells late of a run's begin
 * and end. Another process begins runs, too, so that there may be some more for a moment.
 *
 * @param runs of which what cannot be told holds nobody up.
 */
export const createRunRoom = ({
  most,
  runs,
  now = Date.now,
}: {
  most: number
  runs: OpenRuns
  now?: () => number
}): RunRoom => {
  const users = new LRUCache<string, Known>({ max: MOST_KNOWN })

  const knownOf = (name: string): Known => {
    const known = users.get(name)
    if (known) return known
    const made: Known = {
      open: undefined,
      fullAt: Number.NEGATIVE_INFINITY,
      begun: new Map(),
      looking: undefined,
    }
    users.set(name, made)
    return made
  }

  const openOf = ({ open, begun }: Known): number => {
    let count = open?.size ?? 0
    for (const runId of begun.keys()) if (!open?.has(runId)) count++
    return count
  }

  /** Of what was begun here, the runs that have ended. */
  const endedOf = async (runIds: readonly string[]): Promise<string[]> => {
    const ended: string[] = []
    for (let from = 0; from < runIds.length; from += TOGETHER)
      await Promise.all(
        runIds.slice(from, from + TOGETHER).map(async (runId) => {
          if (!(await runs.isOpen(runId).catch(() => false))) ended.push(runId)
        }),
      )
    return ended
  }

  const look = async (name: string, user: Known): Promise<void> => {
    const askedAt = now()
    const asked = [...user.begun.keys()]
    const listed = await runs.list(name, most + asked.length).catch((): string[] => [])
    const open = new Set(listed)
    for (const [runId, begunAt] of user.begun) if (begunAt < askedAt - LAG) user.begun.delete(runId)
    for (const runId of await endedOf(asked.filter((id) => user.begun.has(id)))) {
      user.begun.delete(runId)
      open.delete(runId)
    }
    user.open = open
    if (openOf(user) >= most) user.fullAt = now()
  }

  const looking = (name: string, user: Known): Promise<void> => {
    user.looking ??= look(name, user).finally(() => {
      user.looking = undefined
    })
    return user.looking
  }

  return {
    enter: async ({ name, isAdministrator }, runId) => {
      if (isAdministrator) return
      const user = knownOf(name)
      const isOld = (): boolean => openOf(user) >= most && now() - user.fullAt >= PAUSE
      if (user.open === undefined || isOld()) await looking(name, user)
      if (openOf(user) >= most)
        throw fail(
          'tooManyRequests',
          `${most} runs of ${name} are open, which is as many as may be: wait for one to end, or cancel one`,
          { retryAfter: Math.ceil(LAG / 1000) },
        )
      user.begun.set(runId, now())
    },
    leave: ({ name }, runId) => {
      const user = users.get(name)
      user?.begun.delete(runId)
      user?.open?.delete(runId)
    },
  }
}
