import { setTimeout as sleep } from 'node:timers/promises'
import { CliError, EXIT, RefusedError } from '../failures/index.js'
import type { RunEntity, Server } from '../server/index.js'
import { createLiveLines, type Terminal } from '../terminal/index.js'
import { getRun } from './get-run.js'
import { changedLines, liveLines } from './lines/progress-lines.js'
import { isRunning } from './run-state.js'

export type Watch = { server: Server; terminal: Terminal; interrupted: AbortSignal }

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 1_000
/** The run continues while the API or its services restart. */
const LONGEST_OUTAGE_MS = 120_000

type Screen = { show(run: RunEntity): void; lost(error: CliError): void }

/** On a terminal the steps are rewritten in place; else each change is a line. */
const createScreen = (terminal: Terminal): Screen => {
  let before: RunEntity | undefined
  let isLost = false
  const live = terminal.stderr.isTTY ? createLiveLines(terminal) : undefined
  return {
    show: (run) => {
      if (live) live.show(liveLines(run))
      else for (const line of changedLines(before, run)) terminal.error(line)
      before = run
      isLost = false
    },
    lost: (error) => {
      live?.keep()
      if (!isLost) terminal.error(`${error.message}; trying again`)
      isLost = true
    },
  }
}

const detached = (id: string): CliError =>
  new CliError(
    EXIT.interrupted,
    `The run ${id} continues. Follow it: archivolt status ${id} --watch; stop it: archivolt cancel ${id}`,
  )

/** Whether the error is transient: the server is unreachable or unavailable. */
const isTransient = (error: unknown): error is CliError =>
  error instanceof CliError &&
  (error.exitCode === EXIT.unreachable || (error instanceof RefusedError && error.status >= 500))

/**
 * Follows a run to its end, showing its steps and the items of its loops.
 *
 * @throws CliError when it is interrupted or the server stays unreachable; the run itself continues.
 */
export const watchRun = async ({ server, terminal, interrupted }: Watch, id: string): Promise<RunEntity> => {
  const screen = createScreen(terminal)
  let lastSeen = Date.now()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    try {
      const run = await getRun(server, id)
      lastSeen = Date.now()
      screen.show(run)
      if (!isRunning(run)) return run
      await sleep(wait, undefined, { signal: interrupted })
    } catch (error) {
      if (interrupted.aborted) throw detached(id)
      if (!isTransient(error) || Date.now() - lastSeen > LONGEST_OUTAGE_MS) throw error
      screen.lost(error)
      await sleep(LONGEST_WAIT_MS)
    }
  }
}
