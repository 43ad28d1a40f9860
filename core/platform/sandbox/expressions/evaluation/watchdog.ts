import { createContext, Script } from 'node:vm'

/** The work was stopped from outside: its half-done state must be discarded. */
export class StoppedByWatchdog extends Error {
  override readonly name = 'StoppedByWatchdog'
}

export type Watchdog = <T>(work: () => T, timeoutMs: number) => T

// The error belongs to the other context's realm, so `instanceof Error` would be false.
const wasStopped = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/**
 * Runs work that may not end by itself. The script's timeout is a thread of the runtime that terminates
 * whatever executes on this one, WebAssembly included; starting it costs about 70 µs. The context is only
 * the handle for that timeout: untrusted code never runs in it.
 */
export const createWatchdog = (): Watchdog => {
  const context = createContext({ job: () => {} })
  const script = new Script('job()')
  return (work, timeoutMs) => {
    let result: { value: ReturnType<typeof work> } | undefined
    context.job = () => {
      result = { value: work() }
    }
    try {
      script.runInContext(context, { timeout: timeoutMs })
    } catch (error) {
      throw wasStopped(error) ? new StoppedByWatchdog('stopped', { cause: error }) : error
    } finally {
      context.job = undefined
    }
    return result!.value
  }
}
