import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, type ProcessRecord } from './identity.js'

/** Signals to send one after the other, each with the time to wait for its effect. */
export type StopStep = { signal: NodeJS.Signals; waitMs: number }

export const gracefulThenKill = (waitMs: number): readonly StopStep[] => [
  { signal: 'SIGTERM', waitMs },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

/** Signals a process, or its whole group when it is asked to die at once; silent when it is gone already. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  for (const target of signal === 'SIGKILL' ? [-pid, pid] : [pid]) {
    try {
      process.kill(target, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Ends a process step by step. Returns whether it is gone. */
export const stopProcess = async (record: ProcessRecord, steps: readonly StopStep[]): Promise<boolean> => {
  for (const { signal, waitMs } of steps) {
    if (!isRunning(record)) return true
    sendSignal(record.pid, signal)
    for (const end = Date.now() + waitMs; Date.now() < end && isRunning(record); ) await sleep(20)
  }
  return !isRunning(record)
}
