import { LAG, type OpenRuns } from './ended-runs.js'

/** The cached state of a user: the open runs of the latest list, and runs started here that it may lack. */
export type KnownUser = {
  open: Set<string> | undefined
  /** When the quota was used up for the last time. */
  fullAt: number
  begun: Map<string, number>
  looking: Promise<void> | undefined
}

export const newUser = (): KnownUser => ({
  open: undefined,
  fullAt: Number.NEGATIVE_INFINITY,
  begun: new Map(),
  looking: undefined,
})

/** How many runs of a user are open, by the cache. */
export const openOf = ({ open, begun }: KnownUser): number => {
  let count = open?.size ?? 0
  for (const runId of begun.keys()) if (!open?.has(runId)) count++
  return count
}

/** Runs that are described concurrently. */
const CONCURRENCY = 20

type Looking = { max: number; runs: OpenRuns; now(): number }

/** Those runs that have ended. */
const endedOf = async (runs: OpenRuns, runIds: readonly string[]): Promise<string[]> => {
  const ended: string[] = []
  for (let from = 0; from < runIds.length; from += CONCURRENCY)
    await Promise.all(
      runIds.slice(from, from + CONCURRENCY).map(async (runId) => {
        if (!(await runs.isOpen(runId).catch(() => false))) ended.push(runId)
      }),
    )
  return ended
}

/**
 * Refreshes the state of a user: lists the open runs, and describes each that was started here recently, as
 * the list lags behind. When the engine is unavailable, no call is refused.
 */
export const look = async ({ max, runs, now }: Looking, name: string, user: KnownUser): Promise<void> => {
  const askedAt = now()
  const asked = [...user.begun.keys()]
  const listed = await runs.list(name, max + asked.length).catch((): string[] => [])
  const open = new Set(listed)
  for (const [runId, begunAt] of user.begun) if (begunAt < askedAt - LAG) user.begun.delete(runId)
  const recent = asked.filter((id) => user.begun.has(id))
  for (const runId of await endedOf(runs, recent)) {
    user.begun.delete(runId)
    open.delete(runId)
  }
  user.open = open
  if (openOf(user) >= max) user.fullAt = now()
}
