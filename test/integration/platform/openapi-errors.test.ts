import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { automationDocs } from '../../../api/automation/automation.docs.js'
import { bulkDocs } from '../../../api/bulk/index.js'
import { runAttributes } from '../../../engine/index.js'
import { soon } from '../../support/soon.js'
import { uniqueName } from '../../support/template.js'
import { createTestService } from '../support/bad-input-support.js'
import { addUser, type Call, type Entity } from '../support/rest-client.js'

const { platform, call, deploy } = await createTestService({
  ARCHIVOLT_OPEN_BULK_COMMANDS: '1',
  ARCHIVOLT_OPEN_RUNS: '1',
  ARCHIVOLT_MAX_JSON_BYTES: '2000',
})

const client = new Client({
  connection: await Connection.connect({ address: inject('temporalAddress') }),
})
afterAll(() => client.connection.close())

const API = '/api/v1'
const AUTOMATION = `${API}/automation`
const RUNS = `${AUTOMATION}/runs`
const ALL = encodeURIComponent('SELECT * FROM Document')
const ANN = { user: 'ann' }
const LARGE = { json: { params: { text: 'x'.repeat(3_000) } } }
const TEXT = { headers: { 'Content-Type': 'text/plain' }, body: 'text' }

const openapi: Entity = (await call('GET', `${API}/openapi.json`)).json
const operations: Entity[] = Object.values(openapi.paths).flatMap((item) => Object.values(item as object))
const statusesOf = (id: string): string[] =>
  Object.keys(operations.find(({ operationId }) => operationId === id)?.responses ?? {})

const ids: { [name: string]: string } = {}

const started = async (chain: string, options: Call = {}): Promise<string> => {
  const answer = await call('POST', `${AUTOMATION}/${chain}/@async`, { json: {}, ...options })
  expect(answer.status, answer.text).toBe(202)
  return answer.headers.get('Archivolt-Workflow-Id') ?? ''
}

/** A key of a chain's call. */
const ONCE = uniqueName('key')

/** A key that stands for another request already. */
const USED = { headers: { 'Idempotency-Key': 'used' } }

const ended = (id: string): Promise<void> =>
  soon(async () => expect((await call('GET', `${RUNS}/${id}`)).json.status).not.toBe('RUNNING'))

beforeAll(async () => {
  await addUser(platform, 'ann', ['members'])
  await addUser(platform, 'bob', ['members'])
  await addUser(platform, 'cora', ['members'])
  await deploy('well', '- Log: {message: x}\n')
  await deploy('badly', '- Repository.GetDocument: {value: /no/such}\n')
  await deploy('broken', '- Demo.Broken\n').catch(async () => {
    const script = { script: 'function run() { throw new Error("broken") }' }
    const made = await call('PUT', `${API}/contributions/scripts/Demo.Broken`, { json: script })
    expect(made.status, made.text).toBe(201)
    await deploy('broken', '- Demo.Broken\n')
  })
  ids.well = await started('well')
  ids.broken = await started('broken')
  for (const id of Object.values(ids)) await ended(id)
  const keyed = { headers: { 'Idempotency-Key': ONCE, 'Content-Type': 'application/json' } }
  await started('well', { ...keyed, json: { params: { a: 1 } } })
  // It is open for longer than this test.
  const open = uniqueName('open')
  await platform.openRuns.enter({ username: 'cora', runId: open, max: 1 })
  await client.workflow.start('chain', {
    taskQueue: platform.settings.temporal.taskQueue,
    workflowId: open,
    startDelay: '1 day',
    typedSearchAttributes: runAttributes({ chainId: 'well', principal: 'cora' }),
  })
  const used = await call('POST', `${AUTOMATION}/Log`, { ...USED, json: { params: { message: 'x' } } })
  expect(used.status, used.text).toBe(204)
  const schedule = await call('PUT', `${API}/contributions/schedules/asleep`, {
    json: { chain: 'well', cron: '0 0 0 1 1 ? 2099' },
  })
  expect(schedule.status, schedule.text).toBe(201)
  // No worker of this test makes schedules, and none begins bulk commands, so that this one goes on.
  const query = encodeURIComponent("SELECT * FROM Document WHERE dc:title = 'none'")
  const { status, json, text } = await call('POST', `${API}/search/bulk/setProperties?query=${query}`, {
    ...ANN,
    json: { 'dc:source': 'x' },
  })
  expect(status, text).toBe(202)
  ids.command = json.commandId
})

type Provoked = [operation: string, status: number, method: string, path: () => string, call?: Call]

const BULK = `${API}/search/bulk`

const PROVOKED: Provoked[] = [
  ['runBulk', 409, 'POST', () => `${BULK}/trash?query=${ALL}`, { ...USED, json: {} }],
  [
    'runBulkOnProvider',
    409,
    'POST',
    () => `${API}/search/pp/default_search/bulk/trash`,
    { ...USED, json: {} },
  ],
  ['runBulkOnSavedSearch', 409, 'POST', () => `${API}/search/saved/none/bulk/trash`, { ...USED, json: {} }],
  ['runBulk', 400, 'POST', () => `${BULK}/trash?query=SELECT`, { json: {} }],
  ['runBulk', 401, 'POST', () => `${BULK}/trash?query=${ALL}`, { user: null, json: {} }],
  ['runBulk', 403, 'POST', () => `${BULK}/deletion?query=${ALL}`, { ...ANN, json: {} }],
  ['runBulk', 404, 'POST', () => `${BULK}/frobnicate?query=${ALL}`, { json: {} }],
  ['runBulk', 413, 'POST', () => `${BULK}/setProperties?query=${ALL}`, LARGE],
  ['runBulk', 415, 'POST', () => `${BULK}/setProperties?query=${ALL}`, TEXT],
  [
    'runBulk',
    429,
    'POST',
    () => `${BULK}/setProperties?query=${ALL}`,
    { ...ANN, json: { 'dc:source': 'x' } },
  ],
  ...(['runBulkOnProvider', 'runBulkOnSavedSearch'] as const).flatMap((operation): Provoked[] => {
    const place = operation === 'runBulkOnProvider' ? 'pp/default_search' : `saved/no-such`
    const path = (action: string) => () => `${API}/search/${place}/bulk/${action}`
    return operation === 'runBulkOnProvider'
      ? [
          [operation, 403, 'POST', path('deletion'), { ...ANN, json: {} }],
          [operation, 413, 'POST', path('setProperties'), LARGE],
          [operation, 415, 'POST', path('setProperties'), TEXT],
          [operation, 429, 'POST', path('trash'), { ...ANN, json: {} }],
        ]
      : [
          [operation, 404, 'POST', path('trash'), { json: {} }],
          [operation, 413, 'POST', path('trash'), LARGE],
          [operation, 415, 'POST', path('trash'), TEXT],
        ]
  }),
  ['getBulk', 404, 'GET', () => `${API}/bulk/${ids.command}`, { user: 'bob' }],
  ['abortBulk', 404, 'PUT', () => `${API}/bulk/${ids.command}/abort`, { user: 'bob' }],
  ['getOperation', 404, 'GET', () => `${AUTOMATION}/no-such`],
  ['getOperationAsYaml', 403, 'GET', () => `${AUTOMATION}/well/yaml`, ANN],
  ['callOperation', 400, 'POST', () => `${AUTOMATION}/Document.Create`, { json: {} }],
  [
    'callOperation',
    403,
    'POST',
    () => `${AUTOMATION}/Document.Filter`,
    { ...ANN, json: { input: 'docs:/default-domain', params: { condition: 'true' } } },
  ],
  ['callOperation', 404, 'POST', () => `${AUTOMATION}/badly`, { json: {} }],
  [
    'callOperation',
    409,
    'POST',
    () => `${AUTOMATION}/well`,
    {
      headers: { 'Idempotency-Key': ONCE, 'Content-Type': 'application/json' },
      json: { params: { a: 2 } },
    },
  ],
  ['callOperation', 413, 'POST', () => `${AUTOMATION}/well`, LARGE],
  ['callOperation', 415, 'POST', () => `${AUTOMATION}/well`, TEXT],
  [
    'callOperation',
    429,
    'POST',
    () => `${AUTOMATION}/Bulk.RunAction`,
    { ...ANN, json: { params: { action: 'trash', query: 'SELECT * FROM File' } } },
  ],
  ['callOperation', 500, 'POST', () => `${AUTOMATION}/broken`, { json: {} }],
  ['callOperationOn', 413, 'POST', () => `${API}/path/default-domain/@op/well`, LARGE],
  ['callOperationOn', 415, 'POST', () => `${API}/path/default-domain/@op/well`, TEXT],
  ['callOperationOn', 500, 'POST', () => `${API}/path/default-domain/@op/broken`, { json: {} }],
  [
    'startOperation',
    409,
    'POST',
    () => `${AUTOMATION}/well/@async`,
    {
      headers: { 'Idempotency-Key': ONCE, 'Content-Type': 'application/json' },
      json: { params: { a: 2 } },
    },
  ],
  ['startOperation', 413, 'POST', () => `${AUTOMATION}/well/@async`, LARGE],
  ['startOperation', 415, 'POST', () => `${AUTOMATION}/well/@async`, TEXT],
  ['startOperation', 429, 'POST', () => `${AUTOMATION}/well/@async`, { user: 'cora', json: {} }],
  ['getRunStatus', 404, 'GET', () => `${AUTOMATION}/well/@async/none/status`],
  ['getRunResult', 500, 'GET', () => `${AUTOMATION}/broken/@async/${ids.broken}`],
  ['cancelRun', 404, 'DELETE', () => `${AUTOMATION}/well/@async/${ids.well}`],
  ['getSchedules', 403, 'GET', () => `${AUTOMATION}/schedules`, ANN],
  ['runSchedule', 403, 'POST', () => `${AUTOMATION}/schedules/asleep/run`, ANN],
  ['runSchedule', 404, 'POST', () => `${AUTOMATION}/schedules/none/run`],
  ['runSchedule', 503, 'POST', () => `${AUTOMATION}/schedules/asleep/run`],
  ['getRuns', 400, 'GET', () => `${RUNS}?cursor=x`],
  ['getRuns', 403, 'GET', () => `${RUNS}?user=bob`, ANN],
  ['getRun', 404, 'GET', () => `${RUNS}/none`],
  ['endRun', 404, 'DELETE', () => `${RUNS}/none`],
  ['endRun', 409, 'DELETE', () => `${RUNS}/${ids.well}`],
  ['retryRun', 404, 'POST', () => `${RUNS}/none/retry`],
  ['retryRun', 409, 'POST', () => `${RUNS}/${ids.well}/retry`],
  ['getRunItems', 400, 'GET', () => `${RUNS}/${ids.well}/items?cursor=x`],
  ['getRunItems', 404, 'GET', () => `${RUNS}/none/items`],
  ['retryRunItems', 400, 'POST', () => `${RUNS}/${ids.well}/items/retry`, { json: [] }],
  ['retryRunItems', 404, 'POST', () => `${RUNS}/${ids.well}/items/retry`, { json: {} }],
  [
    'retryRunItems',
    409,
    'POST',
    () => `${RUNS}/bulk-${ids.command}/items/retry?definition=current`,
    { json: {} },
  ],
  ['retryRunItems', 413, 'POST', () => `${RUNS}/${ids.well}/items/retry`, LARGE],
]

test.each(PROVOKED)('%s says that it answers %d', async (operation, status, method, path, options) => {
  const answer = await call(method, path(), options)
  expect(answer.status, answer.text).toBe(status)
  expect(statusesOf(operation)).toContain(String(status))
})

/** Of what they stand on, or of what is called; and what other tests provoke, by route. */
const ELSEWHERE = [501, 503, 504]
const BY_OTHERS: { [operation: string]: readonly number[] } = {
  runBulkOnSavedSearch: [403, 429],
  callOperationOn: [403, 409, 429],
  getFilesOfDocument: [403],
  startOperation: [403],
  getRunResult: [403, 409, 429],
  runSchedule: [409],
  retryRun: [403, 429],
  retryRunItems: [403, 429],
}

describe('what is said of errors is answered', () => {
  const docs = [...automationDocs, ...bulkDocs].filter(
    // The same route on other documents.
    ({ operationId, errors = [] }) => errors.length > 0 && !/^callOperationOn./.test(operationId),
  )

  test.each(docs.map((doc) => [doc.operationId, doc] as const))('by %s', (operationId, { errors = [] }) => {
    const provoked = PROVOKED.filter(([name]) => name === operationId).map(([, status]) => status)
    const known = [...provoked, ...ELSEWHERE, ...(BY_OTHERS[operationId] ?? [])]
    expect(errors.filter((status) => !known.includes(status))).toEqual([])
  })
})
