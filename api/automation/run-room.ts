import type { Client } from '@temporalio/client'
import { fail } from '../../core/errors/index.js'
import type { Principal } from '../../core/security/index.js'
import { quoted } from './list-runs.js'

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

/** What is known of a user: a count of then, and what was begun here that it may not have told yet. */
type Known = {
  counted: number | undefined
  countedAt: number
  begun: Map<string, number>
  counting: Promise<void> | undefined
}

/** As long as a run may have begun before it is counted, milliseconds. */
const LAG = 2_000

/** Between two counts of a user who has reached the limit. */
const PAUSE = 250

const MOST_KNOWN = 10_000

/**
 * Counts a user's runs when they are first heard of, and when there seem to be as many as may be: what lies
 * between costs nothing. Another process begins runs, too, so that there may be some more for a moment.
 *
 * @param count open runs of a user. What it cannot tell holds nobody up.
 */
export const createRunRoom = ({
  most,
  count,
  now = Date.now,
}: {
  most: number
  count: (username: string) => Promise<number>
  now?: () => number
}): RunRoom => {
  const users = new Map<string, Known>()

  const knownOf = (name: string): Known => {
    const known = users.get(name)
    if (known) return known
    if (users.size >= MOST_KNOWN) users.clear()
    const made: Known = { counted: undefined, countedAt: 0, begun: new Map(), counting: undefined }
    users.set(name, made)
    return made
  }

  const recount = async (name: string, user: Known): Promise<void> => {
    const askedAt = now()
    const counted = await count(name).catch(() => 0)
    for (const [runId, begunAt] of user.begun) if (begunAt < askedAt - LAG) user.begun.delete(runId)
    user.counted = counted
    user.countedAt = now()
  }

  const counting = (name: string, user: Known): Promise<void> => {
    user.counting ??= recount(name, user).finally(() => {
      user.counting = undefined
    })
    return user.counting
  }

  const openOf = ({ counted = 0, begun }: Known): number => counted + begun.size

  return {
    enter: async ({ name, isAdministrator }, runId) => {
      if (isAdministrator) return
      const user = knownOf(name)
      const isOld = (): boolean => openOf(user) >= most && now() - user.countedAt >= PAUSE
      if (user.counted === undefined || isOld()) await counting(name, user)
      if (openOf(user) >= most)
        throw fail(
          'tooManyRequests',
          `${most} runs of ${name} are open, which is as many as may be: wait for one to end, or cancel one`,
          { retryAfter: Math.ceil(LAG / 1000) },
        )
      user.begun.set(runId, now())
    },
    leave: ({ name }, runId) => {
      users.get(name)?.begun.delete(runId)
    },
  }
}

/** Runs that somebody has started: those of event handlers, schedules and other runs are none of their user's doing. */
const openRunsQuery = (username: string, taskQueue: string): string =>
  [
    "WorkflowType = 'chain'",
    "ExecutionStatus = 'Running'",
    'ParentWorkflowId IS NULL',
    `TaskQueue = ${quoted(taskQueue)}`,
    `Principal = ${quoted(username)}`,
    "WorkflowId NOT STARTS_WITH 'event-'",
  ].join(' AND ')

/** Counts open runs of a user in Temporal's visibility. */
export const countOpenRuns =
  (client: Client, taskQueue: string) =>
  async (username: string): Promise<number> =>
    (await client.workflow.count(openRunsQuery(username, taskQueue))).count
