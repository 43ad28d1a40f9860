import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, WorkflowNotFoundError } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { pino } from 'pino'
import { submitBulk } from '../../core/automation/bulk/index.js'
import { createRegistry } from '../../core/automation/language/index.js'
import { operations } from '../../core/automation/operations/index.js'
import type { RouteCommand } from '../../core/automation/routing/following/index.js'
import { loadRoute } from '../../core/automation/routing/instances/index.js'
import { bulkRunId } from '../../core/automation/runs/index.js'
import { createDocument } from '../../core/content/documents/index.js'
import { createBlobValue } from '../../core/files/blobs/index.js'
import { parseNxql } from '../../core/model/nxql/index.js'
import { parseSettings } from '../../core/platform/settings/index.js'
import {
  createConversionRuns,
  createRouteRuns,
  createWorkflowRuns,
  ensureSearchAttributes,
  temporalOn,
} from '../../engine/index.js'
import { createAutomationRuntime, createPlatform } from '../../runtime/index.js'
import { createWorker } from '../../worker/create-worker.js'
import { startBulkOnDemand } from '../../worker/on-demand/bulk.js'
import { installRuntime } from '../../worker/temporal-runtime.js'
import { workflowBundle } from '../support/workflow-bundle.js'
import { chains, HELD, recordings } from './chains.js'
import { startRecordingServers } from './servers.js'

const ROUTE = `nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    variables: { reminded: { type: boolean } }
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    escalationRules: [{ name: due, condition: timeSinceDueDateIsOver() >= 100, chain: remind }]
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`

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

/** Servers and a worker, with what makes each kind of run and gives its id once it has ended. */
export const openRecorder = async () => {
  const servers = await startRecordingServers()
  const { temporalAddress: address } = servers
  const settings = parseSettings({
    ...process.env,
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: address,
    ARCHIVOLT_HOME: servers.folder,
    // Nothing is sent: without a mail server the worker has no activity that would look.
    ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:9',
  })
  // Runs fail on purpose.
  const logger = pino({ level: 'silent' })
  installRuntime(logger)
  const platform = await createPlatform(settings, logger)
  const connection = await connectPatiently(address)
  await ensureSearchAttributes(connection, settings.temporal.namespace)
  const registry = createRegistry(operations, chains)
  const base = await createAutomationRuntime(platform)
  const runtime = { ...base, segments: () => base.segments(registry) }
  const workflows = { workflowBundle: await workflowBundle() }
  const worker = await createWorker({ connection, settings, platform, runtime, workflows })
  const clientConnection = await Connection.connect({ address })
  const { client, taskQueue } = temporalOn(clientConnection, platform)
  const runs = createWorkflowRuns({ client, taskQueue, units: platform.units })
  const principal = await platform.authenticator.principal('Administrator')
  if (!principal) throw new Error('There is no administrator')

  const startChain = (name: string): Promise<string> => {
    const recording = recordings.find((candidate) => candidate.name === name)
    const chain = chains.find(({ id }) => id === recording?.chain)
    if (!recording || !chain) throw new Error(`There is nothing to record by the name ${name}`)
    const request = { input: { type: 'void' as const }, params: {}, variables: recording.variables }
    const { arrange } = recording
    const order = { chain, registry, request, principal, requestId: 'recorded' }
    return runs.start({ ...order, ...(arrange && { arrange }) })
  }

  const settled = async (workflowId: string): Promise<string> => {
    await runs
      .result(workflowId, principal)
      .catch((error: Error) => process.stdout.write(`${error.message}\n`))
    return workflowId
  }

  const runChain = async (name: string): Promise<string> => settled(await startChain(name))

  /** Keeps runs that change the document `HELD` waiting until the work is done. */
  const holding = (work: () => Promise<void>): Promise<void> =>
    platform.database.transaction(async (sql) => {
      await sql`SELECT FROM documents WHERE path = ${HELD} FOR UPDATE`
      await work()
    })

  const waiting = async (): Promise<void> => {
    const count = async () =>
      (
        await platform.database.sql`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      ).length
    while ((await count()) === 0) await sleep(50)
  }

  /** Lasts longer than its step allows. */
  const runLate = async (name: string): Promise<string> => {
    let workflowId = ''
    await holding(async () => {
      workflowId = await runChain(name)
    })
    return workflowId
  }

  /** Its first item is cancelled by itself, which is a failure of that item. */
  const runCancelledItem = async (name: string): Promise<string> => {
    let workflowId = ''
    await holding(async () => {
      workflowId = await startChain(name)
      await waiting()
      await client.workflow.getHandle(`${workflowId}/0/0`).cancel()
      await runs.result(workflowId, principal)
    })
    return workflowId
  }

  /** Fails, and is started again where it stood. */
  const runRetried = async (name: string): Promise<string> => {
    const workflowId = await runChain(name)
    return settled(await runs.retry(workflowId, principal))
  }

  /** Does again the failed items of a run, which are runs of their own, and fail again. */
  const runRepair = async (): Promise<string> => {
    const failed = await runChain('elements-passed-over')
    const workflowId = await runs.retryItems(failed, principal, {})
    await client.workflow.getHandle(workflowId).result()
    return workflowId
  }

  const runConversion = async (table: string): Promise<string> => {
    const jobs = createConversionRuns({ client, taskQueue })
    const stored = await platform.blobs.write(Buffer.from(table))
    const source = createBlobValue({ stored, name: 'table.csv', mimeType: 'text/csv' })
    const job = { source, type: 'text/plain', parameters: {}, requestId: 'recorded' }
    const id = await jobs.start(job, principal)
    await jobs.result(id, principal)
    return `conversion-${id}`
  }

  const runMedia = async (): Promise<string> => {
    const stored = await platform.blobs.write(Buffer.from('the words of a file'))
    const source = createBlobValue({ stored, name: 'words.txt' })
    return runWorkflow('media', { kind: 'text', source, requestId: 'recorded' })
  }

  const runBulk = async (): Promise<string> => {
    const stopListening = await startBulkOnDemand({ connection, platform })
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

  /** A route with a task that is due: a rule reminds of it, then somebody ends it. */
  const runRoute = async (): Promise<string> => {
    const deploy = (point: string, name: string, text: string) =>
      base.deployments.deploy({ principal, point, name, text, format: 'yaml', precondition: {} })
    await deploy(
      'chains',
      'remind',
      'operations:\n- Workflow.SetNodeVariable: { name: reminded, value: true }\n',
    )
    await deploy('routes', 'recorded', ROUTE)
    const routes = createRouteRuns({ client, taskQueue })
    const about = { modelId: 'recorded', initiator: principal.name, principal, requestId: 'recorded' }
    const routeId = randomUUID()
    const act = (command: RouteCommand) => routes.act({ ...about, routeId, command })
    await act({ kind: 'start', wanted: { modelId: 'recorded', documentIds: [] } })
    const { stores } = platform.readSession(principal)
    while ((await stores.routes.escalations(routeId)).length === 0) await sleep(50)
    const route = await loadRoute({ stores }, routeId)
    const taskId = route.state.nodes.ask?.tasks[0]?.taskId ?? ''
    await act({ kind: 'complete', completion: { taskId, action: 'ok' } })
    await client.workflow.getHandle(`route/${routeId}`).result()
    return `route/${routeId}`
  }

  /** A workflow with its one argument, if it takes one. */
  const runWorkflow = async (workflow: string, ...args: readonly object[]): Promise<string> => {
    const handle = await client.workflow.start(workflow, { taskQueue, workflowId: workflow, args: [...args] })
    await handle.result().catch((error: Error) => process.stdout.write(`${error.message}\n`))
    return handle.workflowId
  }

  /** What a schedule starts at its time, without waiting for that. */
  const runScheduled = async (workflow: string, name: string, what: string): Promise<string> => {
    const deploy = (point: string, text: string) =>
      base.deployments.deploy({ principal, point, name, text, format: 'yaml', precondition: {} })
    await deploy('chains', '- Repository.GetDocument: {value: /default-domain}')
    await deploy('schedules', `${what}\ncron: 0 3 * * *`)
    return runWorkflow(workflow, { schedule: name, revision: 'recorded' })
  }

  const close = async (): Promise<void> => {
    await clientConnection.close()
    await connection.close()
    await base.close()
    await platform.close()
    await servers.stop()
  }

  return {
    address,
    worker,
    runChain,
    runLate,
    runCancelledItem,
    runRetried,
    runRoute,
    runRepair,
    runConversion,
    runMedia,
    runBulk,
    runWorkflow,
    runScheduled,
    close,
  }
}

export type Recorder = Awaited<ReturnType<typeof openRecorder>>
