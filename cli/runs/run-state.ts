import { EXIT, type ExitCode } from '../failures/index.js'
import type { LoopReport, RunEntity } from '../server/index.js'

export const isRunning = ({ status }: RunEntity): boolean => status === 'RUNNING'

const ENDS: { [status: string]: ExitCode } = {
  RUNNING: EXIT.ok,
  COMPLETED: EXIT.ok,
  CONTINUED_AS_NEW: EXIT.ok,
  CANCELLED: EXIT.cancelled,
  TERMINATED: EXIT.cancelled,
}

/** Whether some items failed again in a run that retries failed items. */
const hasFailedAgain = (run: RunEntity): boolean => run.repairs !== undefined && failedCount(run) > 0

/**
 * The exit code of a run's state. A running one is no failure; one that retries failed items has failed
 * when it has ended and some of them failed again.
 */
export const exitCodeOfRun = (run: RunEntity): ExitCode => {
  const exitCode = ENDS[run.status] ?? EXIT.failed
  return exitCode === EXIT.ok && !isRunning(run) && hasFailedAgain(run) ? EXIT.failed : exitCode
}

/** Loops that have been entered, by the index of their step. */
export const loopsOf = (run: RunEntity): ReadonlyMap<number, LoopReport> => {
  const reports = run.nodes.flatMap(({ status, loop }, index) => {
    const report = loop ?? (status === 'running' ? run.loop : undefined)
    return report ? [[index, report] as const] : []
  })
  return new Map(reports)
}

/** How many items failed, those beyond the reported ones included. */
export const failedCount = (run: RunEntity): number =>
  [...loopsOf(run).values()].reduce((sum, { failed, stopped }) => sum + failed + (stopped ? 1 : 0), 0)
