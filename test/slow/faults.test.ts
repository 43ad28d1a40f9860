import { beforeAll, describe, expect, test } from 'vitest'
import { sized } from '../support/size.js'
import { createFaultBench } from './fault-bench.js'
import { planKills } from './fault-plan.js'
import { VICTIMS } from './fault-stack.js'

const { seed, call, rows, folder, deploy, killAlong, expectCalm } = await createFaultBench()

/** Some kills find their victim still starting. */
const expectKilled = (killed: number, each: number): void =>
  expect(killed).toBeGreaterThanOrEqual(Math.ceil(each * VICTIMS.length * 0.6))

describe('a loop in new transactions', () => {
  const ITEMS = sized({ full: 500, sample: 250 })
  const KILLS = sized({ full: 6, sample: 3 })

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

    const killed = await killAlong(planKills(seed, { each: KILLS, maxDelayMs: 15 }), progress)
    expectKilled(killed, KILLS)

    const status = new URL(started.headers.get('Location') ?? '').pathname
    const ended = async () => (await call('GET', status)).status
    await expect.poll(ended, { timeout: 600_000, interval: 250 }).toBe(303)
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
         WHERE id > $1::bigint AND document_id IS NOT NULL GROUP BY 1 ORDER BY 1`,
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

describe('failed items that are runs of their own', () => {
  const ITEMS = sized({ full: 60, sample: 30 })
  const KILLS = sized({ full: 3, sample: 2 })

  beforeAll(async () => {
    await folder('/', 'repaired')
    for (let index = 0; index < ITEMS; index++) await folder('/repaired', `item-${index}`)
    await deploy(
      'mark-item',
      `
- Document.Create:
    type: File
    name: mark
`,
    )
    await deploy(
      'repair-item',
      `
- Context.RestoreDocumentInput:
    name: item
- Document.SetProperty:
    xpath: common:size
    value: 'expr:Document["common:size"] + 1'
- RunInNewTransaction:
    id: mark-item
- Repository.GetDocument:
    value: /switch
- Context.RestoreDocumentInput:
    name: item
- Document.SetProperty:
    xpath: common:size
    value: 'expr:Document["common:size"] + 10'
`,
    )
    await deploy(
      'repair-items',
      `
- Repository.Query:
    query: SELECT * FROM Folder WHERE ecm:path STARTSWITH '/repaired' AND ecm:name LIKE 'item-%' ORDER BY ecm:name
- Context.SetInputAsVar:
    name: found
- Context.RunOperationOnListInNewTx:
    id: repair-item
    list: found
    item: item
    rollbackGlobalOnError: false
`,
    )
  })

  test('are listed once and done again once, by two repairs at once, while every server is killed', async () => {
    const runs = '/api/v1/automation/runs'
    const statusOf = async (id: string) =>
      ((await (await call('GET', `${runs}/${id}`)).json()) as { status: string }).status
    const completed = (id: string) =>
      expect.poll(() => statusOf(id), { timeout: 600_000, interval: 250 }).toBe('COMPLETED')
    const started = await call('POST', '/api/v1/automation/repair-items/@async', {
      body: { params: {}, context: {} },
      headers: { 'Idempotency-Key': `repair-${seed}` },
    })
    const workflowId = started.headers.get('Archivolt-Workflow-Id') ?? ''
    const loop = async () =>
      (
        await rows<{ position: number; failed: number; listed: number }>(
          `SELECT position, failed, (SELECT count(*)::int FROM loop_failures f WHERE f.workflow_id = l.workflow_id) AS listed
           FROM loop_progress l WHERE workflow_id = $1`,
          workflowId,
        )
      )[0]
    const sizes = () =>
      rows(`SELECT (properties ->> 'common:size')::int AS size, count(*)::int FROM documents
            WHERE path LIKE '/repaired/%' AND type = 'Folder' GROUP BY 1`)
    const marks = () =>
      rows(`SELECT count(*)::int, count(DISTINCT parent_id)::int AS items FROM documents
            WHERE path LIKE '/repaired/%' AND type = 'File'`)

    await killAlong(
      planKills(seed + 2, { each: 1, maxDelayMs: 15 }),
      async () => ((await loop())?.position ?? 0) / ITEMS,
    )
    await completed(workflowId)
    expect(await loop()).toEqual({ position: ITEMS, failed: ITEMS, listed: ITEMS })
    expect(await sizes()).toEqual([{ size: 1, count: ITEMS }])

    await folder('/', 'switch')
    const repairs: string[] = []
    for (const key of ['one', 'two']) {
      const answer = await call('POST', `${runs}/${workflowId}/items/retry`)
      expect(answer.status, key).toBe(202)
      repairs.push(((await answer.json()) as { workflowId: string }).workflowId)
    }
    const killed = await killAlong(
      planKills(seed + 3, { each: KILLS, maxDelayMs: 15 }),
      async () => (ITEMS - ((await loop())?.listed ?? ITEMS)) / ITEMS,
    )
    expectKilled(killed, KILLS)
    for (const repair of repairs) await completed(repair)
    await expectCalm()

    expect(await loop()).toEqual({ position: ITEMS, failed: 0, listed: 0 })
    expect(await sizes()).toEqual([{ size: 11, count: ITEMS }])
    expect(await marks()).toEqual([{ count: ITEMS, items: ITEMS }])
  })
})

describe('a stream of short chains with keys', () => {
  const CALLERS = 8
  const AT_LEAST = sized({ full: 200, sample: 100 })
  const KILLS = sized({ full: 5, sample: 3 })

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
    const killing = killAlong(planKills(seed + 1, { each: KILLS, maxDelayMs: 50 }), async () =>
      Math.min(1, made.size / AT_LEAST),
    ).finally(() => {
      isKilling = false
    })
    await Promise.all(Array.from({ length: CALLERS }, caller))
    expectKilled(await killing, KILLS)
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
