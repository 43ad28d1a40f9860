import { setTimeout as pause } from 'node:timers/promises'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, expect, inject, test } from 'vitest'
import { createApp } from '../../../../api/app.js'
import { createEngine } from '../../../../api/engine.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../../../support/platform.js'
import { startTestWorker } from '../../../support/start-worker.js'
import { uniqueName } from '../../../support/template.js'
import { workflowBundle } from '../../../support/workflow-bundle.js'

await workflowBundle()
const { platform } = await createTestPlatform({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const app = createApp(platform, engine)

const call = (path: string, init: { method: string; body: string; headers?: Record<string, string> }) =>
  app.request(`http://localhost/api/v1${path}`, {
    ...init,
    headers: {
      authorization: `Basic ${Buffer.from(`Administrator:${ADMIN_PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
      ...init.headers,
    },
  })

const CHAIN = `
- Repository.GetDocument:
    value: /
- Document.Create:
    type: Folder
    name: expr:ChainParameters["name"]
`

const run = (name: string, key?: string) =>
  call('/automation/carried', {
    method: 'POST',
    body: JSON.stringify({ params: { name } }),
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  })

test('an API with a worker of its own runs a chain without any other worker', async () => {
  const yaml = { 'content-type': 'application/yaml' }
  expect(
    (await call('/contributions/chains/carried', { method: 'PUT', body: CHAIN, headers: yaml })).status,
  ).toBe(201)
  await engine.startEmbeddedWorker()
  const once = uniqueName('key')
  const answers = await Promise.all([run('first'), run('second', once), run('second', once)])
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
  const [, second, again] = await Promise.all(
    answers.map((answer) => answer.json() as Promise<{ uid: string }>),
  )
  expect(again?.uid).toBe(second?.uid)
  expect((await run('third', once)).status).toBe(409)
})

test('a run begins at once where it was started: its first task never waits in the queue', async () => {
  const answer = await run('eager')
  const workflowId = answer.headers.get('Archivolt-Workflow-Id') ?? ''
  await pause(100)
  const { Client, Connection } = await import('@temporalio/client')
  const connection = await Connection.connect({ address: inject('temporalAddress') })
  const history = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory()
  await connection.close()
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes
  expect(started?.eagerExecutionAccepted).toBe(true)
  // Others go on with it so soon after this process is dead.
  expect(Number(started?.workflowTaskTimeout?.seconds)).toBe(2)
})

test('a failure reaches the caller of a run of the embedded worker like any other', async () => {
  const yaml = { 'content-type': 'application/yaml' }
  const body = CHAIN.replace('value: /', 'value: /missing')
  await call('/contributions/chains/carried-missing', { method: 'PUT', body, headers: yaml })
  const answer = await call('/automation/carried-missing', {
    method: 'POST',
    body: JSON.stringify({ params: { name: 'never' } }),
  })
  expect(answer.status).toBe(404)
  expect(answer.headers.get('Archivolt-Workflow-Id')).toMatch(/^carried-missing-/)
})

test('many runs at once begin here and are all answered', async () => {
  // Where this process takes longer than two seconds for a first task, another worker does it.
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
  const stopWorker = await startTestWorker({
    connection,
    settings: platform.settings,
    platform,
    runtime: engine.runtime,
  })
  const names = Array.from({ length: 60 }, (_, index) => `many-${index}`)
  const answers = await Promise.all(names.map((name) => run(name)))
  expect(answers.map((answer) => answer.status)).toEqual(names.map(() => 200))
  const made = await Promise.all(
    answers.map(async (answer) => ((await answer.json()) as { path: string }).path),
  )
  expect(made).toEqual(names.map((name) => `/${name}`))
  await stopWorker()
  await connection.close()
})
