import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  describeExit,
  type Exit,
  gracefulThenKill,
  LOOPBACK,
  launch,
  type ProcessRecord,
  StackFailure,
} from '../process/index.js'
import { serverArguments, type TemporalPorts } from './arguments.js'
import { findTemporal } from './find.js'

export type TemporalOptions = TemporalPorts & {
  /** Where its state survives a restart; absent keeps it in memory. */
  databaseFile?: string
  logFile: string
  env: NodeJS.ProcessEnv
  /** Told what takes time: `fetching` (Go builds it, once), `starting`. */
  onState?: (state: 'fetching' | 'starting', detail?: string) => void
}

export type TemporalServer = ProcessRecord & {
  exited: Promise<Exit>
  /** host:port of the gRPC service. */
  address: string
  uiUrl: string
  stop(): Promise<void>
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
  const command = await findTemporal(options.env, () =>
    options.onState?.('fetching', 'built by Go, some minutes once'),
  )
  options.onState?.('starting')
  if (options.databaseFile) mkdirSync(dirname(options.databaseFile), { recursive: true })
  const running = await launch({
    command,
    args: serverArguments(options, options.databaseFile),
    logFile: options.logFile,
    env: withoutTemporalSettings(options.env),
  })
  const uiUrl = `http://${LOOPBACK}:${options.uiPort}`
  let exit: Exit | undefined
  running.exited.then((value) => {
    exit = value
  })
  while (!(await isReady(uiUrl))) {
    if (exit)
      throw new StackFailure(
        `Temporal ended with ${describeExit(exit)} while it started: see ${options.logFile}`,
      )
    await sleep(25)
  }
  return {
    pid: running.pid,
    identity: running.identity,
    exited: running.exited,
    address: `${LOOPBACK}:${options.port}`,
    uiUrl,
    stop: () => running.stop(gracefulThenKill(10_000)),
  }
}
