import { renameSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { StackFailure } from './failure.js'
import type { ProcessRecord } from './identity.js'
import { describeExit, type Exit, type LaunchOptions, launch } from './launch.js'
import { lastWords, readFrom } from './log.js'
import { type StopStep, sendSignal } from './stop.js'

/** A server that was started here. */
export type Server = ProcessRecord & {
  exited: Promise<Exit>
  /** How it ended; undefined while it runs. */
  exit(): Exit | undefined
  /** What it wrote since it was started, the first MiB of it. */
  output(): string
  /** Asks it to end, insists, and resolves when it is gone. */
  stop(): Promise<void>
  /** Ends it at once, in the hardest way that it survives. */
  kill(): void
}

const LONGEST_LOG_BYTES = 32 * 1024 * 1024

/** Where in its log a server that is started now begins to write. A long log is put aside first, one deep. */
const logStart = (logFile: string): number => {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size <= LONGEST_LOG_BYTES) return size
  renameSync(logFile, `${logFile}.old`)
  return 0
}

/** Starts a server that is stopped by `stopSteps`. */
export const launchServer = (options: LaunchOptions & { stopSteps: readonly StopStep[] }): Server => {
  const offset = logStart(options.logFile)
  const running = launch(options)
  let exit: Exit | undefined
  running.exited.then((value) => {
    exit = value
  })
  return {
    pid: running.pid,
    identity: running.identity,
    exited: running.exited,
    exit: () => exit,
    output: () => readFrom(options.logFile, offset).toString('utf8'),
    stop: () => running.stop(options.stopSteps),
    kill: () => sendSignal(running.pid, options.stopSteps.at(-1)?.signal ?? 'SIGKILL'),
  }
}

const POLL_MS = 20

/** Waits until a server is ready; when it ends before that, tells why in its own words. */
export const whileRunning = async (
  name: string,
  server: Server,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> => {
  while (!(await isReady())) {
    const exit = server.exit()
    if (exit)
      throw new StackFailure(
        `${name} ended with ${describeExit(exit)} while it started: ${lastWords(server.output())}`,
      )
    await sleep(POLL_MS)
  }
}
