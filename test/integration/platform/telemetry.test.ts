import { Client, Connection } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { createBlobValue } from '../../../core/files/blobs/index.js'
import { createLogger, startTracing } from '../../../core/platform/telemetry/index.js'
import { ensureSearchAttributes } from '../../../engine/index.js'
import { createAutomationRuntime } from '../../../runtime/index.js'
import { createWorker } from '../../../worker/create-worker.js'
import { pollingCheck, startHealthServer, temporalCheck } from '../../../worker/health.js'
import { createWorkerMetrics } from '../../../worker/metrics.js'
import { installRuntime } from '../../../worker/temporal-runtime.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../../support/platform.js'
import { uniqueName } from '../../support/template.js'
import { attributeOf, type CollectedSpan, startTraceCollector } from '../../support/trace-collector.js'
import { workflowBundle } from '../../support/workflow-bundle.js'

const lines: { [field: string]: unknown }[] = []
const destination = { write: (line: string) => lines.push(JSON.parse(line)) }
const logger = createLogger({ service: 'archivolt-test', node: 'test', level: 'info', destination })
installRuntime(logger)

const collector = await startTraceCollector()
const address = inject('temporalAddress')
const environment = {
  TEMPORAL_ADDRESS: address,
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
  ARCHIVOLT_NODE: 'test',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
}
// The SDK reads its address by itself.
Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' })
const { platform, settings } = await createTestPlatform(environment, logger)
const tracing = await startTracing(settings.tracing, { service: 'archivolt-test', logger })
const engine = await createEngine(platform)
const app = createApp(platform, engine)
const connection = await NativeConnection.connect({ address })
await ensureSearchAttributes(connection, settings.temporal.namespace)
const runtime = await createAutomationRuntime(platform)
const bundle = await workflowBundle()
const metrics = createWorkerMetrics(platform.metrics.extended())
const worker = await createWorker({
  connection,
  settings,
  platform,
  runtime,
  workflows: { workflowBundle: bundle },
  metrics,
  tracing,
})
const running = worker.run()

afterAll(async () => {
  worker.shutdown()
  await running
  await engine.close()
  await runtime.close()
  await connection.close()
  await tracing?.stop()
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const REQUEST = 'request-of-the-trace'

const call = (
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
) =>
  app.request(path, {
    ...init,
    headers: {
      Authorization: `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}`,
      'Content-Type': 'application/json',
      ...init.headers,
    },
  })

const deploy = async (id: string, yaml: string): Promise<void> => {
  const headers = { 'Content-Type': 'application/yaml' }
  const response = await call(`/api/v1/contributions/chains/${id}`, { method: 'PUT', body: yaml, headers })
  expect(response.status, await response.text()).toBeLessThan(300)
}

const historyOf = async (workflowId: string) => {
  const client = await Connection.connect({ address })
  try {
    return await new Client({ connection: client }).workflow.getHandle(workflowId).fetchHistory()
  } finally {
    await client.close()
  }
}

const find = async (isIt: (span: CollectedSpan) => boolean): Promise<CollectedSpan> =>
  expect
    .poll(() => collector.spans.find(isIt))
    .toBeDefined()
    .then(() => collector.spans.find(isIt) as CollectedSpan)

const named = (name: string): Promise<CollectedSpan> =>
  find((span) => span.traceId === TRACE && span.name === name)

describe('a chain that is called within a trace', () => {
  let workflowId = ''
  let response: Response

  beforeAll(async () => {
    await deploy('traced', '- Repository.Query:\n    query: SELECT * FROM Document\n')
    const traceparent = `00-${TRACE}-${CALLER}-01`
    const headers = { traceparent, 'X-Request-Id': REQUEST }
    response = await call('/api/v1/automation/traced', { method: 'POST', body: '{"params":{}}', headers })
    workflowId = response.headers.get('Archivolt-Workflow-Id') ?? ''
  })

  test('joins request, workflow, activity and SQL', async () => {
    expect(response.status).toBe(200)
    const request = await named('POST /api/v1/automation/:id')
    const start = await named('StartWorkflow:chain')
    const workflow = await named('RunWorkflow:chain')
    const activity = await named('RunActivity:runSegment')
    const transaction = await find(
      (span) => span.name === 'transaction' && span.parentSpanId === activity.spanId,
    )
    const statement = await find(
      (span) => span.name.startsWith('SELECT') && span.parentSpanId === transaction.spanId,
    )
    expect(request.parentSpanId).toBe(CALLER)
    expect(start.parentSpanId).toBe(request.spanId)
    expect(workflow.parentSpanId).toBe(start.spanId)
    expect(activity.parentSpanId).toBe(workflow.spanId)
    expect(attributeOf(statement, 'db.query.text')).toMatch(/select/i)
    expect(attributeOf(request, 'archivolt.request_id')).toBe(REQUEST)
    expect(attributeOf(activity, 'archivolt.request_id')).toBe(REQUEST)
    expect(attributeOf(workflow, 'temporalWorkflowId')).toBe(workflowId)
  })

  test('returns the trace to its caller', () => {
    expect(response.headers.get('traceresponse')).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
  })

  test('replays', async () => {
    await Worker.runReplayHistory({ workflowBundle: bundle }, await historyOf(workflowId), workflowId)
  })
})

describe('a chain within a chain', () => {
  const OUTER = '4bf92f3577b34da6a3ce929d0e0e4736'

  test('has its run, and what that does, below the run that began it', async () => {
    await deploy('say', '- Log:\n    level: info\n    message: item\n')
    const loop = '- RunOperationOnListInNewTx:\n    id: say\n    list: found\n'
    const query = '- Repository.Query:\n    query: SELECT * FROM Domain\n'
    await deploy('inner', `${query}- Context.SetInputAsVar:\n    name: found\n${loop}`)
    await deploy('outer', '- inner\n')
    const headers = { traceparent: `00-${OUTER}-${CALLER}-01` }
    const response = await call('/api/v1/automation/outer', { method: 'POST', body: '{}', headers })
    expect(response.status).toBeLessThan(300)
    const ofTrace = (span: CollectedSpan, name: string) => span.traceId === OUTER && span.name === name
    const page = await find((span) => ofTrace(span, 'RunActivity:runLoopPage'))
    const inner = await find((span) => span.spanId === page.parentSpanId)
    const outer = await find((span) => span.spanId === inner.parentSpanId)
    expect([inner.name, outer.name]).toEqual(['RunWorkflow:chain', 'RunWorkflow:chain'])
    const workflowId = response.headers.get('Archivolt-Workflow-Id')
    expect(attributeOf(outer, 'temporalWorkflowId')).toBe(workflowId)
    expect(attributeOf(inner, 'temporalWorkflowId')).toBe(`${workflowId}/0`)
  })
})

describe('a mistake of the caller', () => {
  test('fails the span of the run, not that of the request', async () => {
    await deploy('absent', '- Repository.GetDocument:\n    value: /nowhere\n')
    await call('/api/v1/automation/absent', { method: 'POST', body: '{}' })
    const request = await find((span) => attributeOf(span, 'http.response.status_code') === 404)
    expect(request.status.code ?? 0).toBe(0)
    const run = await find((span) => span.traceId === request.traceId && span.name === 'RunWorkflow:chain')
    expect(run.status).toMatchObject({ code: 2, message: expect.any(String) })
  })
})

describe('the log', () => {
  const logged = (isIt: (line: (typeof lines)[number]) => boolean) => expect.poll(() => lines.find(isIt))

  test('names request, run and activity where an operation writes to it', async () => {
    await deploy('talking', '- Log:\n    level: warn\n    message: hello\n')
    const headers = { 'X-Request-Id': 'request-that-logs' }
    const response = await call('/api/v1/automation/talking', { method: 'POST', body: '{}', headers })
    expect(response.status).toBe(204)
    await logged(({ msg }) => msg === 'hello').toMatchObject({
      level: 40,
      requestId: 'request-that-logs',
      workflowId: response.headers.get('Archivolt-Workflow-Id'),
      runId: expect.any(String),
      activity: 'runSegment',
      trace_id: expect.any(String),
    })
  })

  test('reports a mistake of the caller in one line without a stack', async () => {
    await deploy('mistaken', '- Repository.GetDocument:\n    value: /nowhere\n')
    const headers = { 'X-Request-Id': 'request-by-mistake' }
    const response = await call('/api/v1/automation/mistaken', { method: 'POST', body: '{}', headers })
    expect(response.status).toBe(404)
    await logged(
      ({ msg, requestId }) => msg === 'Workflow failed' && requestId === 'request-by-mistake',
    ).toMatchObject({
      level: 30,
      workflowId: expect.stringMatching(/^mistaken-/),
      mistake: { code: 'notFound', status: 404, reason: expect.stringContaining('/nowhere') },
    })
    expect(lines.filter(({ err }) => err !== undefined)).toEqual([])
  })

  test('reports a secret that is not of its type without its value, as a trace does', async () => {
    const secret = 'hunter-2-hunter'
    await deploy('numbered', 'params:\n- password: {type: integer}\noperations:\n- Log: {message: never}\n')
    await deploy(
      'numbering',
      `params: [{password: {type: string}}]
operations:
- RunInNewTransaction:
    id: numbered
    parameters: {password: 'expr:ChainParameters["password"]'}
    rollbackGlobalOnError: true
`,
    )
    const headers = { 'X-Request-Id': 'request-with-a-secret' }
    const body = JSON.stringify({ params: { password: secret } })
    const response = await call('/api/v1/automation/numbering', { method: 'POST', body, headers })
    expect(response.status).toBe(400)
    await logged(
      ({ msg, requestId }) => msg === 'Workflow failed' && requestId === 'request-with-a-secret',
    ).toMatchObject({ mistake: { status: 400, reason: expect.stringContaining('Parameter password: ') } })
    await find(({ status }) => status.message?.includes('Parameter password: ') === true)
    expect(JSON.stringify([lines, collector.spans])).not.toContain(secret)
  })
})

describe('the worker', () => {
  test('serves its health and its metrics', async () => {
    const server = await startHealthServer({
      place: { host: '127.0.0.1', port: 0 },
      checks: [...platform.healthChecks, temporalCheck(connection), pollingCheck(worker)],
      metrics,
    })
    const get = (path: string) => fetch(`http://127.0.0.1:${server?.port}${path}`)
    const stored = await platform.blobs.write(Buffer.from('text'))
    const source = createBlobValue({ stored, name: 'a.txt', mimeType: 'text/plain' })
    await runtime.conversions.convert({ source, converter: 'plain2html' })
    try {
      expect((await get('/health/live')).status).toBe(200)
      await expect
        .poll(async () => (await get('/health/ready')).json())
        .toMatchObject({
          state: 'up',
          dependencies: ['database', 'notifications', 'blobs', 'temporal', 'polling'].map((name) => ({
            name,
            state: 'up',
          })),
        })
      const read = await (await get('/metrics')).text()
      const lines = read.split('\n')
      const sampleOf = (name: string, labels: string[]) =>
        Number(
          lines
            .find((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
            ?.split(' ')[1],
        )
      const series: [string, ...string[]][] = [
        ['archivolt_activity_duration_seconds_count', 'activity="runSegment"', 'outcome="completed"'],
        ['archivolt_runs_total', 'type="chain"', 'chain="traced"', 'outcome="completed"'],
        ['archivolt_conversion_duration_seconds_count', 'converter="plain2html"', 'outcome="completed"'],
        ['archivolt_database_connections', 'state="size"', 'repository="default"'],
        ['archivolt_database_up', 'repository="default"'],
      ]
      for (const [name, ...labels] of series)
        expect(sampleOf(name, [...labels, 'node="test"']), name).toBeGreaterThan(0)
      for (const name of [
        'outbox_lag_seconds',
        'mails',
        'workflows',
        'failed_items',
        'index_parked_documents',
      ])
        expect(read).toContain(`\narchivolt_${name}{`)
      expect((await get('/elsewhere')).status).toBe(404)
    } finally {
      await server?.close()
    }
  })
})
