import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import {
  describeExit,
  type Exit,
  LOOPBACK,
  launch,
  type Owner,
  type ProcessRecord,
  StackFailure,
} from '../process/index.js'
import { findBinaries } from './binaries.js'
import { ensureCluster, SUPERUSER } from './cluster.js'
import { endLeftover, POSTGRES_STOP, readPostmaster } from './leftover.js'
import { chooseOwner } from './owner.js'
import { readOrMakePassword } from './password.js'
import { reachableBinaries, reachableData } from './place.js'

export type PostgresOptions = {
  dataFolder: string
  /** Where the generated password is kept (mode 600). */
  passwordFile: string
  logFile: string
  port: number
  /** False for tests: no fsync, so a crash of the machine may lose or break the data. */
  isDurable: boolean
  maxConnections: number
  /** Told what takes time: `building` the data folder, `starting` the server. */
  onState?: (state: 'building' | 'starting', detail?: string) => void
}

export type PostgresServer = ProcessRecord & {
  exited: Promise<Exit>
  /** `postgres://…` address of a database of this server, with the superuser's password. */
  url(database: string): string
  stop(): Promise<void>
}

const serverArguments = (options: PostgresOptions, dataFolder: string): string[] => {
  const settings: Record<string, string | number> = {
    listen_addresses: LOOPBACK,
    port: options.port,
    unix_socket_directories: '',
    max_connections: options.maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return [
    '-D',
    dataFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** The last words of a log from `offset` on, to tell why a server did not start. */
const logSince = (logFile: string, offset: number): string =>
  readFileSync(logFile).subarray(offset).toString('utf8').trim().split('\n').slice(-3).join(' ')

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const waitUntilReady = async (
  dataFolder: string,
  pid: number,
  hasExited: () => Exit | undefined,
): Promise<void> => {
  for (;;) {
    const exit = hasExited()
    if (exit) throw new StackFailure(`Postgres ended with ${describeExit(exit)} while it started`)
    const postmaster = readPostmaster(dataFolder)
    if (postmaster?.pid === pid && postmaster.isReady) return
    await sleep(15)
  }
}

/**
 * Starts the embedded Postgres on loopback: makes its data folder at the first start, ends what an earlier
 * start left behind, and resolves when it takes connections.
 */
export const startPostgres = async (options: PostgresOptions): Promise<PostgresServer> => {
  const owner: Owner | undefined = chooseOwner(options.dataFolder)
  const binaries = reachableBinaries(findBinaries(), owner)
  const dataFolder = reachableData(options.dataFolder, owner)
  const password = readOrMakePassword(options.passwordFile, join(dataFolder, 'PG_VERSION'))
  await endLeftover(dataFolder)
  options.onState?.('building')
  await ensureCluster({ binaries, dataFolder, password, owner, isDurable: options.isDurable })
  options.onState?.('starting')
  const logOffset = sizeOf(options.logFile)
  const running = await launch({
    command: join(binaries, 'bin', 'postgres'),
    args: serverArguments(options, dataFolder),
    logFile: options.logFile,
    env: {},
    cwd: dataFolder,
    owner,
  })
  let exit: Exit | undefined
  running.exited.then((value) => {
    exit = value
  })
  try {
    await waitUntilReady(dataFolder, running.pid, () => exit)
  } catch (error) {
    throw new StackFailure(`${(error as Error).message}: ${logSince(options.logFile, logOffset)}`, {
      cause: error,
    })
  }
  return {
    pid: running.pid,
    identity: running.identity,
    exited: running.exited,
    url: (database) => `postgres://${SUPERUSER}:${password}@${LOOPBACK}:${options.port}/${database}`,
    stop: () => running.stop(POSTGRES_STOP),
  }
}

/** Creates a database unless it is there. `serverUrl` addresses any other database of the same server. */
export const ensureDatabase = async (serverUrl: string, database: string): Promise<void> => {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    const found = await sql`SELECT 1 FROM pg_database WHERE datname = ${database}`
    if (found.length === 0) await sql`CREATE DATABASE ${sql(database)}`
  } finally {
    await sql.end()
  }
}
