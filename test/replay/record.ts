/**
 * Records the histories that `test/unit/replay.test.ts` replays: `npx tsx test/replay/record.ts NAME…`, by hand,
 * once for each new kind of run. Without names it lists what can be recorded.
 *
 * A history that is committed stays as it is: it stands for the runs that are under way when a new release is
 * installed. A workflow that can no longer replay one needs `patched()` of Temporal's SDK, not a new recording.
 */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { pino } from 'pino'
import { createRuns } from '../../api/automation/index.js'
import { createConversionJobs } from '../../api/conversions/index.js'
import { submitBulk } from '../../core/automation/bulk/index.js'
import { createRegistry } from '../../core/automation/language/index.js'
import { operations } from '../../core/automation/operations/index.js'
import { createDocument } from '../../core/content/documents/index.js'
import { createBlobValue } from '../../core/files/blobs/index.js'
import { parseNxql } from '../../core/model/nxql/index.js'
import { parseSettings } from '../../core/platform/settings/index.js'
import { createAutomationRuntime, createPlatform } from '../../runtime/index.js'
import { startPostgres } from '../../stack/postgres/index.js'
import { freePort, gracefulThenKill, LOOPBACK, launchServer, startReaper } from '../../stack/process/index.js'
import { findTemporal } from '../../stack/temporal/index.js'
import { startBulkOnDemand } from '../../worker/bulk.js'
import { createWorker } from '../../worker/create-worker.js'
import { bulkRunId } from '../../worker/index.js'
import { ensureSearchAttributes } from '../../worker/search-attributes.js'
import { workflowBundle } from '../support/workflow-bundle.js'
import { chains, recordings } from './chains.js'
import { withoutOrigin } from './without-origin.js'

/** Few enough for a short list to make a run continue as new: the server suggests it after so many events. */
const SUGGESTED_EVENTS = 20

const HISTORIES = new URL('histories/', import.meta.url)
const CONVERSION = 'conversion'
const SCHEDULED = 'scheduled'
const BULK = 'bulk'
const REPAIRED = 'elements-repaired'

const startEngine = async (folder: string) => {
  const port = await freePort()
  const server = launchServer({
    command: await findTemporal({ env: process.env, onBuild: () => undefined }),
    args: ['server', 'start-dev', '--headless', '--ip', LOOPBACK, '--port', String(port)].concat([
      '--dynamic-config-value',
      `limit.historyCount.suggestContinueAsNew=${SUGGESTED_EVENTS}`,
    ]),
    logFile: join(folder, 'temporal.log'),
    env: process.env,
    stopSteps: gracefulThenKill(5_000),
  })
  return { ...server, address: `${LOOPBACK}:${port}` }
}

const startServers = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-record-'))
  chmodSync(folder, 0o711)
  const reaper = startReaper(folder)
  const engine = await startEngine(folder)
  reaper.watch(engine.pid)
  const database = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres-password'),
    logFile: join(folder, 'postgres.log'),
    port: await freePort(),
    isDurable: false,
    maxConnections: 50,
  })
  reaper.watch(database.pid)
  const settings = parseSettings({
    ...process.env,
    DATABASE_URL: database.url('postgres'),
    TEMPORAL_ADDRESS: engine.address,
    ARCHIVOLT_HOME: folder,
    ARCHIVOLT_LOG_LEVEL: 'warn',
  })
  const stop = async (): Promise<void> => {
    await Promise.all([database.stop(), engine.stop()])
    rmSync(folder, { recursive: true, force: true })
    reaper.dismiss()
  }
  return { settings, stop }
}

/** Connects as soon as the server listens. */
const connectPatiently = async (address: string): Promise<NativeConnection> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await NativeConnection.connect({ address })
    } catch (error) {
      if (attempt === 50) throw error
    }
  }
}

type History = {
  events: readonly {
    workflowExecutionStartedEventAttributes?: { firstExecutionRunId: string }
    workflowExecutionContinuedAsNewEventAttributes?: { newExecutionRunId: string }
  }[]
}

/** The history of a run, the latest when none is named, in the form that the SDK reads again. */
const historyOf = async (address: string, workflowId: string, runId?: string): Promise<History> => {
  const command = await findTemporal({ env: process.env, onBuild: () => undefined })
  const run = runId === undefined ? [] : ['--run-id', runId]
  const args = ['workflow', 'show', '--address', address, '--workflow-id', workflowId, '--output', 'json']
  const { stdout } = await promisify(execFile)(command, [...args, ...run], { maxBuffer: 64 * 1024 * 1024 })
  return withoutOrigin(JSON.parse(stdout)) as History
}

/** Every run of a workflow id from its first on. */
const historiesOf = async (address: string, workflowId: string): Promise<History[]> => {
  const latest = await historyOf(address, workflowId)
  const histories: History[] = []
  let runId = latest.events[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId
  while (runId) {
    const history = await historyOf(address, workflowId, runId)
    histories.push(history)
    runId = history.events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  }
  return histories
}

const record = async (names: readonly string[]): Promise<void> => {
  const { settings, stop } = await startServers()
  const platform = await createPlatform(settings, pino({ level: 'warn' }))
  const connection = await connectPatiently(settings.temporal.address)
  await ensureSearchAttributes(connection, settings.temporal.namespace)
  const registry = createRegistry(operations, chains)
  const base = await createAutomationRuntime(platform)
  const runtime = { ...base, segments: () => base.segments(registry) }
  const workflows = { workflowBundle: await workflowBundle() }
  const worker = await createWorker({ connection, settings, platform, runtime, workflows })
  const clientConnection = await Connection.connect({ address: settings.temporal.address })
  const client = new Client({ connection: clientConnection })
  const { taskQueue } = settings.temporal
  const runs = createRuns({ client, taskQueue, units: platform.units })
  const principal = await platform.authenticator.principal('Administrator')
  if (!principal) throw new Error('There is no administrator')

  const runChain = async (name: string): Promise<string> => {
    const recording = recordings.find((candidate) => candidate.name === name)
    const chain = chains.find(({ id }) => id === recording?.chain)
    if (!recording || !chain) throw new Error(`There is nothing to record by the name ${name}`)
    const request = { input: { type: 'void' as const }, params: {}, variables: recording.variables }
    const workflowId = await runs.start({ chain, registry, request, principal, requestId: 'recorded' })
    await runs
      .result(workflowId, principal)
      .catch((error: Error) => process.stdout.write(`${error.message}\n`))
    return workflowId
  }
  /** Does again the failed items of a run, which are runs of their own, and fail again. */
  const runRepair = async (): Promise<string> => {
    const failed = await runChain('elements-passed-over')
    const workflowId = await runs.retryItems(failed, principal, {})
    await client.workflow.getHandle(workflowId).result()
    return workflowId
  }

  const runConversion = async (): Promise<string> => {
    const jobs = createConversionJobs({ client, taskQueue })
    const stored = await platform.blobs.write(Buffer.from('a,b\n1,2\n'))
    const source = createBlobValue({ stored, name: 'table.csv', mimeType: 'text/csv' })
    const job = { source, type: 'text/plain', parameters: {}, requestId: 'recorded' }
    const id = await jobs.start(job, principal)
    await jobs.result(id)
    return `conversion-${id}`
  }

  const runBulk = async (): Promise<string> => {
    const stopListening = await startBulkOnDemand({ connection, settings, platform, logger: platform.logger })
    const command = await platform.units.transaction(principal, async ({ session, bulk: store }) => {
      for (const name of ['one', 'two', 'three'])
        await createDocument(session, { parent: '/', name, type: 'File', properties: {} })
      const query = parseNxql("SELECT * FROM Document WHERE ecm:primaryType = 'File'")
      const request = { action: 'setProperties', query, parameters: { 'dc:title': 'x' }, bucketSize: 1 }
      return submitBulk({ session, store, registry, mostOpen: 1 }, request)
    })
    const handle = client.workflow.getHandle(bulkRunId(command))
    for (let attempt = 0; ; attempt++) {
      try {
        await handle.result()
        break
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError) || attempt === 50) throw error
        await sleep(100)
      }
    }
    await stopListening()
    return handle.workflowId
  }

  /** What a schedule starts at its time, without waiting for that. */
  const runScheduled = async (): Promise<string> => {
    const deploy = (point: string, name: string, text: string) =>
      base.deployments.deploy({ principal, point, name, text, format: 'yaml', precondition: {} })
    await deploy('chains', SCHEDULED, '- Repository.GetDocument: {value: /default-domain}')
    await deploy('schedules', SCHEDULED, `chain: ${SCHEDULED}\ncron: 0 3 * * *`)
    const handle = await client.workflow.start('scheduledChain', {
      taskQueue,
      workflowId: SCHEDULED,
      args: [{ schedule: SCHEDULED, revision: 'recorded' }],
    })
    await handle.result()
    return handle.workflowId
  }

  const runNamed = (name: string): Promise<string> => {
    if (name === CONVERSION) return runConversion()
    if (name === SCHEDULED) return runScheduled()
    if (name === REPAIRED) return runRepair()
    return name === BULK ? runBulk() : runChain(name)
  }

  try {
    await worker.runUntil(async () => {
      for (const name of names) {
        const workflowId = await runNamed(name)
        const histories = await historiesOf(settings.temporal.address, workflowId)
        for (const [index, history] of histories.entries()) {
          const file = histories.length === 1 ? `${name}.json` : `${name}-${index + 1}.json`
          writeFileSync(new URL(file, HISTORIES), `${JSON.stringify(history, null, 1)}\n`)
          process.stdout.write(`recorded ${file}\n`)
        }
      }
    })
  } finally {
    await clientConnection.close()
    await connection.close()
    await base.close()
    await platform.close()
    await stop()
  }
}

const names = process.argv.slice(2)
if (names.length > 0) await record(names)
else
  process.stdout.write(
    `${[...recordings.map(({ name }) => name), CONVERSION, BULK, SCHEDULED, REPAIRED].join('\n')}\n`,
  )
