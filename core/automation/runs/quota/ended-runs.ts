import type { EnteredRun } from '../../run-store/index.js'

/** The open runs that a user started by calls, of chains or of conversions, from the engine. */
export type OpenRuns = {
  /** Ids of some of them; the engine's list lags behind their starts and ends. */
  list(username: string, limit: number): Promise<string[]>
  /** Whether a run is running or has not started yet, without lag. */
  isOpen(runId: string): Promise<boolean>
}

/** Maximum lag of the list, milliseconds. */
export const LAG = 2_000

/** Runs that are described concurrently. */
const CONCURRENCY = 20

/**
 * Those of a user's counted runs that have ended: the list has old ones, and each that was started recently is
 * described, as the list lags behind.
 *
 * @throws what the engine throws when it is away.
 */
export const endedRuns = async (
  runs: OpenRuns,
  username: string,
  entered: readonly EnteredRun[],
): Promise<string[]> => {
  const listed = new Set(await runs.list(username, 2 * entered.length + 1))
  const ended = entered
    .filter(({ runId, ageMs }) => ageMs >= LAG && !listed.has(runId))
    .map(({ runId }) => runId)
  const recent = entered.filter(({ ageMs }) => ageMs < LAG)
  for (let from = 0; from < recent.length; from += CONCURRENCY)
    await Promise.all(
      recent.slice(from, from + CONCURRENCY).map(async ({ runId }) => {
        if (!(await runs.isOpen(runId))) ended.push(runId)
      }),
    )
  return ended
}
