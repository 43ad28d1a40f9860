import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { gracefulThenKill, LOOPBACK, launchServer, type Server, whileRunning } from '../process/index.js'
import { serverArguments, type TemporalPorts } from './arguments.js'
import { findTemporal } from './find.js'

/** As much as fits into a terminal of 80 columns. */
const BUILD = 'built by Go, ~4 min once; install temporal to skip'

export type TemporalOptions = TemporalPorts & {
  /** Where its state survives a restart; absent keeps it in memory. */
  databaseFile?: string
  logFile: string
  env: NodeJS.ProcessEnv
  /** Called for states that take time: `fetching` (Go builds it, once), `starting`. */
  onState?: (state: 'fetching' | 'starting', detail?: string) => void
  /** Called with the process as soon as there is one, long before it is ready. */
  onLaunch?: (server: Server) => void
  /** Ends what is being fetched; nothing is started any more. */
  signal?: AbortSignal
}

export type TemporalServer = Server & {
  /** host:port of the gRPC service. */
  address: string
  uiUrl: string
}

/** The UI asks the server itself, so its answer means that namespace and search attributes are in place. */
const isReady = async (uiUrl: string): Promise<boolean> => {
  try {
    const response = await fetch(`${uiUrl}/api/v1/namespaces/default`, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    // Not listening yet.
    return false
  }
}

/** Settings of a Temporal client in our environment must not reach the server. */
const withoutTemporalSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')))

/** Starts Temporal's development server with its UI on loopback and resolves when it takes work. */
export const startTemporal = async (options: TemporalOptions): Promise<TemporalServer> => {
  const { env, signal } = options
  const onBuild = (): void => options.onState?.('fetching', BUILD)
  const command = await findTemporal({ env, signal, onBuild })
  options.onState?.('starting')
  if (options.databaseFile) mkdirSync(dirname(options.databaseFile), { recursive: true })
  const server = launchServer({
    command,
    args: serverArguments(options, options.databaseFile),
    logFile: options.logFile,
    env: withoutTemporalSettings(env),
    signal,
    stopSteps: gracefulThenKill(10_000),
  })
  options.onLaunch?.(server)
  const uiUrl = `http://${LOOPBACK}:${options.uiPort}`
  await whileRunning('Temporal', server, () => isReady(uiUrl))
  return { ...server, address: `${LOOPBACK}:${options.port}`, uiUrl }
}
