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
  /** The end of it. */
  lastOutput(): string
  /** Asks it to end, kills it if it does not, and resolves when it is gone. */
  stop(): Promise<void>
  /** Ends it at once, in the hardest way that it survives. */
  kill(): void
}

const LAST_BYTES = 16 * 1024

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
    lastOutput: () => {
      const size = statSync(options.logFile, { throwIfNoEntry: false })?.size ?? 0
      return readFrom(options.logFile, Math.max(offset, size - LAST_BYTES)).toString('utf8')
    },
    stop: () => running.stop(options.stopSteps),
    kill: () => sendSignal(running.pid, options.stopSteps.at(-1)?.signal ?? 'SIGKILL'),
  }
}

const POLL_MS = 20

/** A database that recovers, or that is migrated, takes minutes; what takes longer has come to a stop. */
const LONGEST_START_MS = 600_000

/**
 * Waits until a server is ready, ten minutes by default.
 *
 * @throws StackFailure when it ends before that, or runs and is not ready by then, with its last words.
 */
export const whileRunning = async (
  name: string,
  server: Server,
  isReady: () => boolean | Promise<boolean>,
  longestMs = LONGEST_START_MS,
): Promise<void> => {
  const startedAt = performance.now()
  while (!(await isReady())) {
    const exit = server.exit()
    if (exit)
      throw new StackFailure(
        `${name} ended with ${describeExit(exit)} while it started: ${lastWords(server.lastOutput())}`,
      )
    if (performance.now() - startedAt > longestMs)
      throw new StackFailure(
        `${name} runs, but is not ready after ${Math.round(longestMs / 1000)} s. Last output: ${lastWords(server.lastOutput())}`,
      )
    await sleep(POLL_MS)
  }
}
