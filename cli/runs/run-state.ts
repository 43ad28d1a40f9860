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

/** What a run's state means for a script. A run that goes on is no failure. */
export const exitCodeOfRun = ({ status }: RunEntity): ExitCode => ENDS[status] ?? EXIT.failed

/** Loops that have been entered, by the index of their step. */
export const loopsOf = (run: RunEntity): ReadonlyMap<number, LoopReport> => {
  const reports = run.nodes.flatMap(({ status, loop }, index) => {
    const report = loop ?? (status === 'running' ? run.loop : undefined)
    return report ? [[index, report] as const] : []
  })
  return new Map(reports)
}
