import {
  explainSettings,
  parseSettings,
  type Settings,
  unknownSettings,
} from '../core/platform/settings/index.js'
import { createLogger, startTracing } from '../core/platform/telemetry/index.js'
import { ensureSchedules, ensureSearchAttributes, temporalOn } from '../engine/index.js'
import { createAutomationRuntime, createPlatform } from '../runtime/index.js'
import { startChainSchedules } from './chain-schedules.js'
import { connect } from './connect.js'
import { createWorker } from './create-worker.js'
import {
  startAudit,
  startEventRelay,
  startMediaListeners,
  startScans,
  startWebhookRelay,
} from './events/index.js'
import { pollingCheck, startHealthServer, temporalCheck } from './health.js'
import { createWorkerMetrics } from './metrics.js'
import { startUpkeepOnDemand } from './on-demand/access-upkeep.js'
import { startBulkOnDemand } from './on-demand/bulk.js'
import { startMailOnDemand } from './on-demand/mail-delivery.js'
import { startRoutesOnDemand } from './on-demand/routes.js'
import { startAuditIndexing } from './search/audit.js'
import { startIndexing } from './search/follow.js'
import { installRuntime } from './temporal-runtime.js'
import { readWorkflowBundle } from './workflow-bundle.js'

const SERVICE = 'archivolt-worker'

/** Timeout of the start, after which the process fails, so that its supervisor restarts it. */
const PREPARED_MS = 60_000

/** The settings; ends the process with one line for each that is not valid. */
const readSettings = (): Settings => {
  try {
    return parseSettings(process.env)
  } catch (error) {
    process.stderr.write(`${explainSettings(error)}\n`)
    process.exit(1)
  }
}

const settings = readSettings()
const logger = createLogger({ service: SERVICE, node: settings.node, level: settings.logLevel })

/** Address of a port of this worker, when there is one. */
const placeOf = (port: number | undefined): string | undefined =>
  port === undefined ? undefined : `${settings.http.host}:${port}`

const main = async (): Promise<void> => {
  // Whatever is written is for this user alone.
  process.umask(0o077)
  const unknown = unknownSettings(process.env)
  if (unknown) logger.warn(unknown)
  installRuntime(logger, placeOf(settings.worker.temporalMetricsPort))
  const tracing = await startTracing(settings.tracing, { service: SERVICE, logger })
  const [platform, connection] = await Promise.all([
    createPlatform(settings, logger, { makesAdministrator: false }),
    connect(settings.temporal, logger),
  ])
  await connection.withDeadline(Date.now() + PREPARED_MS, async () => {
    await ensureSearchAttributes(connection, settings.temporal.namespace)
    await ensureSchedules(connection, platform)
  })
  const runtime = await createAutomationRuntime(platform)
  const workflows = await readWorkflowBundle()
  const metrics = createWorkerMetrics(platform.metrics.extended())
  runtime.counters.follow(metrics.registry)
  runtime.counters.start()
  const worker = await createWorker({ connection, settings, platform, runtime, workflows, metrics, tracing })
  const health = await startHealthServer({
    place: { host: settings.http.host, port: settings.worker.port },
    checks: [...platform.healthChecks, temporalCheck(connection), pollingCheck(worker)],
    metrics,
  })
  const stopUpkeep = await startUpkeepOnDemand({ connection, platform })
  const stopMail = settings.mail ? await startMailOnDemand({ connection, platform }) : undefined
  const stopBulk = await startBulkOnDemand({ connection, platform })
  const stopRoutes = await startRoutesOnDemand({ connection, platform })
  const stopRelay = startEventRelay({ connection, platform, runtime, metrics })
  const stopAudit = startAudit(platform)
  const stopAuditIndexing = startAuditIndexing(platform)
  const stopWebhooks = startWebhookRelay(platform, temporalOn(connection, platform))
  const stopMedia = startMediaListeners({ connection, platform })
  const stopScans = startScans({ connection, platform })
  const stopIndexing = await startIndexing({ connection, platform })
  const stopSchedules = await startChainSchedules({ connection, platform })
  logger.info({ taskQueue: settings.temporal.taskQueue, port: health?.port }, 'worker ready')
  // The worker shuts down on SIGINT and SIGTERM by itself: it polls no more, and waits for running tasks.
  await worker.run()
  await health?.close()
  await stopSchedules()
  await stopRelay()
  await stopAudit()
  await stopAuditIndexing()
  await stopWebhooks()
  await stopMedia()
  await stopScans()
  await stopIndexing()
  await stopUpkeep()
  await stopMail?.()
  await stopBulk()
  await stopRoutes()
  await runtime.close()
  await connection.close()
  await platform.close()
  await tracing?.stop()
}

try {
  await main()
} catch (error) {
  logger.fatal(error, 'the worker cannot continue')
  // Parts of the process that did start must not keep it alive.
  process.exit(1)
}
