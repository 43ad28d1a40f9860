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

/** Whether a run that does failed items again has passed over some of them once more. */
const hasFailedAgain = (run: RunEntity): boolean => run.repairs !== undefined && failedCount(run) > 0

/**
 * What a run's state means for a script. A run that goes on is no failure; one that does failed items again has failed
 * when it is over and some of them failed again.
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

/** How many items failed, whether they are told one by one or not. */
export const failedCount = (run: RunEntity): number =>
  [...loopsOf(run).values()].reduce((sum, { failed, stopped }) => sum + failed + (stopped ? 1 : 0), 0)
