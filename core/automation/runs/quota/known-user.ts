/** Runs of chains that have not ended and that a user has begun by calls, as the engine knows them. */
export type OpenRuns = {
  /** Ids of some of them; the engine lists a run a moment after it has begun or ended. */
  list(username: string, limit: number): Promise<string[]>
  /** Whether a run goes on, or has not begun yet, as it is at this moment. */
  isOpen(runId: string): Promise<boolean>
}

/** What is known of a user: the runs that were open then, and what was begun here that may not be listed yet. */
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

/** How many runs of a user are open, as far as is known. */
export const openOf = ({ open, begun }: KnownUser): number => {
  let count = open?.size ?? 0
  for (const runId of begun.keys()) if (!open?.has(runId)) count++
  return count
}

/** As long as a run may have begun before it is listed, milliseconds. */
export const LAG = 2_000

/** Runs that are asked for one by one at the same time. */
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
 * Brings up to date what is known of a user: lists the open runs, and asks for each that was begun here a moment ago, as
 * a list lags behind a run's begin and end. When they cannot be asked, nobody is held up.
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
