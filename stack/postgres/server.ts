import { totalmem } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { CONNECTION_END } from '../../schema/connection-end.js'
import { reachableData, reachablePrograms } from '../owner/index.js'
import { LOOPBACK, launchServer, type Server, whileRunning } from '../process/index.js'
import { findBinaries } from './binaries.js'
import { ensureCluster, SUPERUSER } from './cluster.js'
import { endLeftover, POSTGRES_STOP, readPostmaster } from './leftover.js'
import { readOrCreatePassword } from './password.js'
import { postgresOwner } from './user.js'

export type PostgresOptions = {
  dataFolder: string
  /** Where the generated password is stored (mode 600). */
  passwordFile: string
  logFile: string
  port: number
  /** False for tests: no fsync, so a crash of the machine may lose or break the data. */
  isDurable: boolean
  maxConnections: number
  /** Called for states that take time: `building` the data folder, `starting` the server. */
  onState?: (state: 'building' | 'starting') => void
  /** Called with the process as soon as there is one, long before it is ready. */
  onLaunch?: (server: Server) => void
  /** Ends what is being built; nothing is started any more. */
  signal?: AbortSignal
}

export type PostgresServer = Server & {
  /** `postgres://…` address of a database of this server, with the superuser's password. */
  url(database: string): string
}

/** Bytes of memory that processes may use here, where a container allows less than the machine has. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/** Megabytes of memory for pages: an eighth of it, as far as a large repository gains by it. */
const pagesMb = Math.round(Math.min(1024, Math.max(128, memory / 2 ** 20 / 8)))

/**
 * Room for changes of very many documents. The server's own defaults have it write each page of the indexes again and
 * again while they go on.
 */
const ROOM = { shared_buffers: `${pagesMb}MB`, max_wal_size: '4GB', checkpoint_timeout: '15min' }

const serverArguments = (options: PostgresOptions, dataFolder: string): string[] => {
  const settings: Record<string, string | number> = {
    listen_addresses: LOOPBACK,
    port: options.port,
    unix_socket_directories: '',
    max_connections: options.maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.isDurable ? ROOM : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return [
    '-D',
    dataFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/**
 * Starts the embedded Postgres on loopback: creates its data folder at the first start, ends a server that an earlier
 * start left running, and resolves when it takes connections.
 */
export const startPostgres = async (options: PostgresOptions): Promise<PostgresServer> => {
  const owner = postgresOwner(options.dataFolder)
  const { root, version } = findBinaries()
  const binaries = reachablePrograms({ root, name: `postgres-${version}` }, owner)
  const dataFolder = reachableData(options.dataFolder, owner)
  const password = readOrCreatePassword(options.passwordFile, join(dataFolder, 'PG_VERSION'))
  await endLeftover(dataFolder)
  await ensureCluster({
    binaries,
    dataFolder,
    password,
    owner,
    isDurable: options.isDurable,
    signal: options.signal,
    onBuild: () => options.onState?.('building'),
  })
  options.onState?.('starting')
  const server = launchServer({
    command: join(binaries, 'bin', 'postgres'),
    args: serverArguments(options, dataFolder),
    logFile: options.logFile,
    env: {},
    cwd: dataFolder,
    owner,
    signal: options.signal,
    stopSteps: POSTGRES_STOP,
  })
  options.onLaunch?.(server)
  await whileRunning('Postgres', server, () => {
    const postmaster = readPostmaster(dataFolder)
    return postmaster?.pid === server.pid && postmaster.isReady
  })
  return {
    ...server,
    url: (database) => `postgres://${SUPERUSER}:${password}@${LOOPBACK}:${options.port}/${database}`,
  }
}

/** Creates a database unless it is there. `serverUrl` addresses any other database of the same server. */
export const ensureDatabase = async (serverUrl: string, database: string): Promise<void> => {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    const found = await sql`SELECT 1 FROM pg_database WHERE datname = ${database}`
    if (found.length === 0) await sql`CREATE DATABASE ${sql(database)}`
  } finally {
    await sql.end(CONNECTION_END)
  }
}
