import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  processesIn,
  processIdentity,
  StackFailure,
  type StopStep,
  stopProcess,
  workingFolder,
} from '../process/index.js'

/**
 * How Postgres is asked to end: a fast shutdown (clients are cut off, data is flushed), then an immediate one
 * (recovers from its log at the next start). Never SIGKILL, which would leave its shared memory behind.
 */
export const POSTGRES_STOP: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
]

/** What a running server writes into its data folder. `isReady` once it takes connections. */
export type Postmaster = { pid: number; port: number; isReady: boolean }

/** Reads the text of postmaster.pid; undefined while it is incomplete. */
export const parsePostmaster = (text: string): Postmaster | undefined => {
  const lines = text.split('\n')
  const pid = Math.abs(Number(lines[0]))
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid === 0 || !Number.isInteger(port)) return undefined
  return { pid, port, isReady: lines[7]?.trim() === 'ready' }
}

export const readPostmaster = (dataFolder: string): Postmaster | undefined => {
  const file = join(dataFolder, 'postmaster.pid')
  return existsSync(file) ? parsePostmaster(readFileSync(file, 'utf8')) : undefined
}

const ORPHAN_WAIT_MS = 5_000

/** Back ends whose master was killed end by themselves within moments. Returns whether all are gone. */
const waitForOrphans = async (dataFolder: string): Promise<boolean> => {
  for (const end = Date.now() + ORPHAN_WAIT_MS; Date.now() < end; await sleep(50)) {
    if (processesIn(dataFolder).length === 0) return true
  }
  return false
}

/**
 * Ends the server that an earlier, killed start left running on this data, so that the folder has one master.
 * A lock file whose process id now belongs to something else is removed only when no process uses the data.
 */
export const endLeftover = async (dataFolder: string): Promise<void> => {
  const left = readPostmaster(dataFolder)
  if (!left) return
  const identity = processIdentity(left.pid)
  const isServer =
    identity !== undefined && (process.platform !== 'linux' || workingFolder(left.pid) === dataFolder)
  if (!isServer) {
    const isUnused = await waitForOrphans(dataFolder)
    if (identity !== undefined && isUnused) rmSync(join(dataFolder, 'postmaster.pid'), { force: true })
    return
  }
  if (await stopProcess({ pid: left.pid, identity }, POSTGRES_STOP)) return
  throw new StackFailure(
    `A Postgres server (process ${left.pid}) still runs on ${dataFolder} and does not end: ` +
      'end it by hand, or set ARCHIVOLT_HOME to another folder.',
  )
}
