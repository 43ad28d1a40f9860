import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFaultClient, patiently } from './fault-client.js'
import { type Kill, planKills } from './fault-plan.js'
import { startFaultStack } from './fault-stack.js'

/** A failing run is repeated by `ARCHIVOLT_TEST_SEED=… npm run test:slow`. */
const seed = Number(process.env.ARCHIVOLT_TEST_SEED ?? Date.now() % 1_000_000)
process.stdout.write(`fault test: ARCHIVOLT_TEST_SEED=${seed}\n`)

const stack = await startFaultStack()
const call = createFaultClient(stack.apiUrl)
const connect = (): postgres.Sql => postgres(stack.databaseUrl, { max: 1, onnotice: () => undefined })
let sql = connect()
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await stack.stop()
})

type Row = { [column: string]: unknown }

const rows = <Found extends Row>(statement: string, ...values: string[]): Promise<Found[]> =>
  patiently(async () => {
    try {
      return [...(await sql.unsafe<Found[]>(statement, values))]
    } catch (error) {
      // This process has the driver as it is, which may not get over the loss of its connection.
      void sql.end({ timeout: 0 })
      sql = connect()
      throw error
    }
  })

const folder = async (parent: string, name: string, size = 0): Promise<string> => {
  const properties = { 'common:size': size }
  const body = { 'entity-type': 'document', type: 'Folder', name, properties }
  const response = await call('POST', `/api/v1/path${parent}`, { body })
  expect(response.status).toBe(201)
  return ((await response.json()) as { uid: string }).uid
}

const deploy = async (id: string, yaml: string): Promise<void> => {
  const response = await call('PUT', `/api/v1/contributions/chains/${id}`, { body: yaml })
  expect(response.status, await response.clone().text()).toBe(201)
}

/** Carries out a plan while work goes on; answers how many servers were killed. */
const killAlong = async (plan: readonly Kill[], progress: () => Promise<number>): Promise<number> => {
  let killed = 0
  for (const kill of plan) {
    while ((await progress()) < kill.progress) await sleep(2)
    await sleep(kill.delayMs)
    if (await stack.kill(kill.victim)) killed++
    else {
      // It is still down from an earlier kill, and takes another one when it is back.
      await stack.settled()
      if (await stack.kill(kill.victim)) killed++
    }
  }
  return killed
}

/** A committed or rolled back transaction is gone at once; one that nobody ends stays. */
const openTransactions = (): Promise<Row[]> =>
  rows(`SELECT pid, state, left(query, 100) AS query FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend'
          AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`)

const expectCalm = async (): Promise<void> => {
  await stack.settled()
  await expect.poll(openTransactions, { timeout: 10_000 }).toEqual([])
  expect(stack.deaths).toEqual([])
}

describe('a loop in new transactions', () => {
  const ITEMS = 500

  beforeAll(async () => {
    await folder('/', 'tally')
    await folder('/', 'items')
    for (let index = 0; index < ITEMS; index++) await folder('/items', `item-${index}`)
    await deploy(
      'count-item',
      `
- Context.RestoreDocumentInput:
    name: item
- Document.SetProperty:
    xpath: common:size
    value: 'expr:Document["common:size"] + 1'
- Document.Create:
    type: File
    name: mark
    properties:
      dc:title: 'expr:@{Document.name}'
`,
    )
    await deploy(
      'count-items',
      `
- Repository.GetDocument:
    value: /tally
- Document.SetProperty:
    xpath: common:size
    value: 'expr:Document["common:size"] + 1'
- Repository.Query:
    query: SELECT * FROM Folder WHERE ecm:path STARTSWITH '/items' AND ecm:name LIKE 'item-%' ORDER BY ecm:name
- Context.SetInputAsVar:
    name: found
- Context.RunOperationOnListInNewTx:
    id: count-item
    list: found
    item: item
- Repository.GetDocument:
    value: /tally
- Document.SetProperty:
    xpath: common:size
    value: 'expr:Document["common:size"] + 10'
`,
    )
  })

  test('applies every item exactly once while every server is killed again and again', async () => {
    const [last] = await rows<{ id: string }>('SELECT max(id)::text AS id FROM outbox')
    const started = await call('POST', '/api/v1/automation/count-items/@async', {
      body: { params: {}, context: {} },
      headers: { 'Idempotency-Key': `loop-${seed}` },
    })
    expect(started.status).toBe(202)
    const workflowId = started.headers.get('Archivolt-Workflow-Id') ?? ''
    const progress = async (): Promise<number> => {
      const [loop] = await rows<{ position: number }>(
        'SELECT position FROM loop_progress WHERE workflow_id = $1',
        workflowId,
      )
      return (loop?.position ?? 0) / ITEMS
    }

    const killed = await killAlong(planKills(seed, { each: 6, maxDelayMs: 15 }), progress)
    expect(killed).toBeGreaterThanOrEqual(20)

    const status = new URL(started.headers.get('Location') ?? '').pathname
    const ended = async () => (await call('GET', status)).status
    await expect.poll(ended, { timeout: 240_000, interval: 250 }).toBe(303)
    const result = await call('GET', status.replace(/\/status$/, ''))
    expect(await result.json()).toMatchObject({ 'entity-type': 'document', path: '/tally' })
    await expectCalm()

    expect(
      await rows(`SELECT (properties ->> 'common:size')::int AS size, count(*)::int FROM documents
                  WHERE path LIKE '/items/%' AND type = 'Folder' GROUP BY 1`),
    ).toEqual([{ size: 1, count: ITEMS }])
    expect(
      await rows(`SELECT marks, count(*)::int FROM (
                    SELECT count(*)::int AS marks FROM documents WHERE type = 'File' GROUP BY parent_id
                  ) AS items GROUP BY 1`),
    ).toEqual([{ marks: 1, count: ITEMS }])
    expect(
      await rows(`SELECT properties ->> 'common:size' AS size FROM documents WHERE path = '/tally'`),
    ).toEqual([{ size: '11' }])
    expect(
      await rows(
        `SELECT event, count(*)::int, count(DISTINCT document_id)::int AS documents FROM outbox
         WHERE id > $1::bigint GROUP BY 1 ORDER BY 1`,
        last?.id ?? '0',
      ),
    ).toEqual([
      { event: 'documentCreated', count: ITEMS, documents: ITEMS },
      { event: 'documentModified', count: ITEMS + 2, documents: ITEMS + 1 },
    ])
    expect(await rows('SELECT step FROM receipts WHERE workflow_id = $1 ORDER BY step', workflowId)).toEqual([
      { step: '0' },
      { step: '2' },
    ])
    expect(await progress()).toBe(1)
  })
})

describe('a stream of short chains with keys', () => {
  const CALLERS = 8
  const AT_LEAST = 200

  beforeAll(async () => {
    await folder('/', 'stream')
    await deploy(
      'create-one',
      `
params:
- key:
    type: string
    required: true
operations:
- Repository.GetDocument:
    value: /stream
- Document.Create:
    type: File
    name: 'expr:@{ChainParameters["key"]}'
    properties:
      dc:title: 'expr:@{ChainParameters["key"]}'
`,
    )
  })

  test('makes exactly one document for each key, however often it is asked', async () => {
    const made = new Map<string, string>()
    let next = 0
    let isKilling = true
    const one = async (key: string): Promise<void> => {
      const response = await call('POST', '/api/v1/automation/create-one', {
        body: { params: { key }, context: {} },
        headers: { 'Idempotency-Key': key },
      })
      const answer = (await response.json()) as { uid: string; message?: string }
      expect(response.status, answer.message).toBe(200)
      made.set(key, answer.uid)
    }
    const caller = async (): Promise<void> => {
      while (next < AT_LEAST || isKilling) await one(`key-${next++}`)
    }
    const killing = killAlong(planKills(seed + 1, { each: 5, maxDelayMs: 50 }), async () =>
      Math.min(1, made.size / AT_LEAST),
    ).finally(() => {
      isKilling = false
    })
    await Promise.all(Array.from({ length: CALLERS }, caller))
    expect(await killing).toBeGreaterThanOrEqual(20)
    await expectCalm()

    const documents = await rows<{ id: string; name: string; title: string }>(
      `SELECT id::text, name, properties ->> 'dc:title' AS title FROM documents WHERE path LIKE '/stream/%'`,
    )
    expect(documents.length).toBe(next)
    expect(new Map(documents.map(({ id, name }) => [name, id]))).toEqual(made)
    expect(documents.filter(({ name, title }) => name !== title)).toEqual([])
    const ids = documents.map(({ id }) => id)
    expect(
      await rows(
        `SELECT event, count(*)::int, count(DISTINCT document_id)::int AS documents FROM outbox
         WHERE document_id IN (SELECT jsonb_array_elements_text($1::text::jsonb)::uuid) GROUP BY 1`,
        JSON.stringify(ids),
      ),
    ).toEqual([{ event: 'documentCreated', count: next, documents: next }])
    expect(
      await rows(
        `SELECT count(*)::int FROM receipts WHERE workflow_id LIKE 'create-one-key-%' AND step = '0'`,
      ),
    ).toEqual([{ count: next }])
  })
})
