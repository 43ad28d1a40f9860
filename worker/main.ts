import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { parseSettings } from '../core/settings/index.js'
import { createAutomationRuntime, createPlatform } from '../storage/platform/index.js'
import { connect } from './connect.js'
import { createWorker } from './create-worker.js'
import { ensureSearchAttributes } from './search-attributes.js'

/** Beside this program when bundled. */
const WORKFLOW_BUNDLE = fileURLToPath(new URL('../dist/workflow-bundle.js', import.meta.url))

const settings = parseSettings(process.env)
const logger = pino({ name: 'archivolt-worker', level: settings.logLevel })

const main = async (): Promise<void> => {
  const [platform, connection] = await Promise.all([
    createPlatform(settings, logger, { makesAdministrator: false }),
    connect(settings.temporal.address, logger),
  ])
  await ensureSearchAttributes(connection, settings.temporal.namespace)
  const runtime = await createAutomationRuntime(platform)
  const workflows = { workflowBundle: { code: await readFile(WORKFLOW_BUNDLE, 'utf8') } }
  const worker = await createWorker({ connection, settings, platform, runtime, workflows })
  logger.info({ taskQueue: settings.temporal.taskQueue }, 'worker ready')
  // The worker shuts down on SIGINT and SIGTERM by itself: no new tasks, then those that run are waited for.
  await worker.run()
  await runtime.close()
  await connection.close()
  await platform.close()
}

try {
  await main()
} catch (error) {
  logger.fatal(error, 'the worker cannot go on')
  process.exitCode = 1
}
