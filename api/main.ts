import {
  explainSettings,
  parseSettings,
  type Settings,
  unknownSettings,
} from '../core/platform/settings/index.js'
import { createLogger, startTracing, type Tracing } from '../core/platform/telemetry/index.js'
import { createPlatform, type Platform } from '../runtime/index.js'
import { createApp } from './app.js'
import { createEngine, type Engine } from './engine.js'
import { knownError } from './errors/index.js'
import { type ApiServer, startServer } from './server.js'

/** Shorter than the usual delay between SIGTERM and SIGKILL. */
const DRAIN_MS = 15_000

/** The database's address without its password. */
const addressOf = (databaseUrl: string): string => {
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

/** One sentence that names the setting to change. */
const explain = (error: unknown, settings: Settings | undefined): string => {
  if (!settings) return explainSettings(error)
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const { host, port } = settings.http
  if (code === 'EADDRINUSE' || code === 'EACCES')
    return `${host}:${port} cannot be listened on (${code}): set ARCHIVOLT_PORT to another port.`
  const isDatabase = knownError(error)?.code === 'unavailable' || /^(28|3D)/.test(String(code))
  if (isDatabase)
    return `No database answers at DATABASE_URL (${addressOf(settings.databaseUrl)}): ${message}`
  return message
}

const untilSignalled = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })

type Process = { platform: Platform; engine: Engine; server: ApiServer; tracing: Tracing | undefined }

const serve = async ({ platform, engine, server, tracing }: Process): Promise<void> => {
  const { logger, settings } = platform
  logger.info({ port: server.port, host: settings.http.host }, 'api ready')
  engine.runtime.counters.start()
  if (settings.http.carriesWorker) void engine.startEmbeddedWorker(tracing)
  const signal = await untilSignalled()
  logger.info({ signal }, 'api stopping')
  await server.stop(DRAIN_MS)
  await engine.close()
  await platform.close()
  await tracing?.stop()
  logger.info('api stopped')
}

const main = async (): Promise<void> => {
  // Whatever is written is for this user alone.
  process.umask(0o077)
  let settings: Settings | undefined
  try {
    settings = parseSettings(process.env)
    const logger = createLogger({
      service: 'archivolt-api',
      node: settings.node,
      level: settings.logLevel,
    })
    const unknown = unknownSettings(process.env)
    if (unknown) logger.warn(unknown)
    const tracing = await startTracing(settings.tracing, { service: 'archivolt-api', logger })
    const platform = await createPlatform(settings, logger)
    const engine = await createEngine(platform)
    const server = await startServer(createApp(platform, engine), settings.http)
    await serve({ platform, engine, server, tracing })
  } catch (error) {
    process.stderr.write(`${explain(error, settings)}\n`)
    // Parts of the process that did start must not keep it alive.
    process.exit(1)
  }
}

await main()
