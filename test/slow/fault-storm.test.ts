import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createFaultBench } from './fault-bench.js'
import { planKills } from './fault-plan.js'
import { CHAINS } from './fault-storm-chains.js'

const { seed, call, rows, folder, deploy, killAlong, expectCalm } = await createFaultBench()

const COMPOSITES = 20
const BOXES = 8
const ITEMS_EACH = 15
const CAUGHT_EACH = 12
const IN_BULK = 3_000
const PASSED = 40

/** What a run with an error chain comes to: its size, and the documents that it leaves. */
const CAUGHT = {
  'storm-undone': { size: 102, left: ['caught', 'leaf'] },
  'storm-kept': { size: 112, left: ['caught', 'leaf'] },
  'storm-called': { size: 101, left: ['caught'] },
} as const

/** Documents that cannot be done at first. */
const BAD = { '/bulk': [3, 700, 701, 2_999], '/passed': [5, 17] } as const
type Place = keyof typeof BAD

type Entity = { [field: string]: unknown }

const numbers = (count: number): number[] => [...Array(count).keys()]

const jsonOf = async (response: Response): Promise<Entity> => {
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return JSON.parse(text) as Entity
}

const make = (parent: string, type: string, name: string, properties: Entity): Promise<Entity> =>
  call('POST', `/api/v1/path${parent}`, { body: { 'entity-type': 'document', type, name, properties } }).then(
    jsonOf,
  )

/** Copies of a document whose name ends with 0, as fast as the database makes them. */
const copy = (path: string, count: number): Promise<unknown> =>
  rows(
    `INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object(
       'id', gen_random_uuid(), 'name', regexp_replace(d.name, '0$', n::text),
       'path', regexp_replace(d.path, '0$', n::text)))).*
     FROM documents d, generate_series(1, $2::int - 1) AS n WHERE d.path = $1`,
    path,
    String(count),
  )

const spoil = (place: Place, names: readonly number[], xpath: string): Promise<unknown> =>
  rows(
    `UPDATE documents SET properties = properties || jsonb_build_object('dc:source', $1::text)
     WHERE path IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
    xpath,
    JSON.stringify(names.map((name) => `${place}/doc-${name}`)),
  )

/** How many documents below a folder have been done how often. */
const sizes = (place: string, type: string): Promise<Entity[]> =>
  rows(
    `SELECT (properties ->> 'common:size')::int AS size, count(*)::int FROM documents
     WHERE path LIKE $1 || '/%' AND type = $2 GROUP BY 1 ORDER BY 1`,
    place,
    type,
  )

/** Calls a chain as often as it has to be asked, and answers what it has come to. */
const run = async (chain: string, key: string): Promise<Entity> =>
  jsonOf(
    await call('POST', `/api/v1/automation/${chain}`, {
      body: { params: { key }, context: {} },
      headers: { 'Idempotency-Key': `${chain}-${key}-${seed}` },
    }),
  )

const start = async (chain: string): Promise<string> => {
  const response = await call('POST', `/api/v1/automation/${chain}/@async`, {
    body: {},
    headers: { 'Idempotency-Key': `${chain}-${seed}` },
  })
  expect(response.status).toBe(202)
  return response.headers.get('Archivolt-Workflow-Id') ?? ''
}

const reportOf = async (runId: string): Promise<Entity> =>
  jsonOf(await call('GET', `/api/v1/automation/runs/${encodeURIComponent(runId)}`))

/** Waits for the end of a run; answers how it has ended. */
const ended = async (runId: string): Promise<unknown> => {
  for (;;) {
    const { status } = await reportOf(runId)
    if (status !== 'RUNNING') return status
    await sleep(250)
  }
}

const inParallel = async (work: readonly (() => Promise<void>)[], callers: number): Promise<void> => {
  const left = [...work]
  const caller = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await next()
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

const results = new Map<string, Entity>()
let bulkRun = ''
let passRun = ''
let nestedRun = ''

/** All of the work at once, each part repeated by its caller until it is answered. */
const work = async (): Promise<void> => {
  const query = "SELECT * FROM File WHERE ecm:path STARTSWITH '/bulk'"
  const params = { action: 'automationUi', query, batchSize: 50, parameters: { operationId: 'storm-count' } }
  const given = await jsonOf(
    await call('POST', '/api/v1/automation/Bulk.RunAction', {
      body: { params },
      headers: { 'Idempotency-Key': `bulk-${seed}` },
    }),
  )
  bulkRun = `bulk-${(given.value as Entity).commandId}`
  nestedRun = await start('storm-nested')
  passRun = await start('storm-pass')
  const short = [
    ...numbers(COMPOSITES).map((index) => ['storm-composite', `c${index}`] as const),
    ...numbers(CAUGHT_EACH).flatMap((index) =>
      Object.keys(CAUGHT).map((chain) => [chain, `${chain}-${index}`] as const),
    ),
  ]
  await inParallel(
    short.map(
      ([chain, key]) =>
        async () =>
          void results.set(key, await run(chain, key)),
    ),
    4,
  )
  for (const runId of [nestedRun, passRun, bulkRun]) expect(await ended(runId), runId).toBe('COMPLETED')
}

/** Of all documents that are to be left and documents that are to be done, from 0 to 1. */
const progress = async (): Promise<number> => {
  const [found] = await rows<{ done: number }>(
    `SELECT (count(*) + (SELECT coalesce(sum(processed), 0) FROM bulk_commands) / 20)::int AS done
     FROM documents WHERE name ~ '^(leaf|mark|caught)'`,
  )
  const left = Object.values(CAUGHT).reduce((sum, one) => sum + one.left.length * CAUGHT_EACH, 0)
  return (found?.done ?? 0) / (COMPOSITES * 3 + BOXES * ITEMS_EACH + left + IN_BULK / 20)
}

beforeAll(async () => {
  for (const name of ['composites', 'nested', 'errors', 'bulk', 'passed']) await folder('/', name)
  for (const chain of Object.keys(CAUGHT)) {
    await folder('/errors', `${chain}-0`)
    await copy(`/errors/${chain}-0`, CAUGHT_EACH)
  }
  await folder('/nested', 'box-0')
  await copy('/nested/box-0', BOXES)
  for (const box of numbers(BOXES)) {
    await folder(`/nested/box-${box}`, 'item-0')
    await copy(`/nested/box-${box}/item-0`, ITEMS_EACH)
  }
  for (const [place, count] of [
    ['/bulk', IN_BULK],
    ['/passed', PASSED],
  ] as const) {
    await make(place, 'File', 'doc-0', { 'common:size': 0, 'dc:source': 'dc:description' })
    await copy(`${place}/doc-0`, count)
    await spoil(place, BAD[place], 'no:such')
  }
  for (const [id, yaml] of CHAINS) await deploy(id, yaml)
  const plan = planKills(seed, { each: 2, maxDelayMs: 300 })
  const [killed] = await Promise.all([killAlong(plan, progress), work()])
  expect(killed).toBeGreaterThanOrEqual(6)
})

describe('while every server is killed again and again', () => {
  test('no transaction is left open', expectCalm)

  test('a chain that calls chains does each part once', async () => {
    expect(await sizes('/composites', 'Folder')).toEqual([{ size: 333, count: COMPOSITES }])
    for (const index of numbers(COMPOSITES))
      expect(results.get(`c${index}`)).toMatchObject({ path: `/composites/c${index}` })
    expect(
      await rows(`SELECT leaves, count(*)::int FROM (
                    SELECT count(*)::int AS leaves FROM documents
                    WHERE path LIKE '/composites/%' AND type = 'File' GROUP BY parent_id) AS made GROUP BY 1`),
    ).toEqual([{ leaves: 3, count: COMPOSITES }])
  })

  test('a loop in a loop does each element once', async () => {
    // An item and a box count one each.
    expect(await sizes('/nested', 'Folder')).toEqual([{ size: 1, count: BOXES * ITEMS_EACH + BOXES }])
    expect(
      await rows(`SELECT marks, count(*)::int FROM (
                    SELECT count(*)::int AS marks FROM documents
                    WHERE path LIKE '/nested/%' AND type = 'File' GROUP BY parent_id) AS items GROUP BY 1`),
    ).toEqual([{ marks: 1, count: BOXES * ITEMS_EACH }])
    const [nested] = await rows(
      `SELECT properties ->> 'common:size' AS size FROM documents WHERE path = '/nested'`,
    )
    expect(nested).toEqual({ size: '1' })
  })

  test.each(Object.entries(CAUGHT))(
    'the error chain of %s runs once, with what is kept or not',
    async (chain, { size, left }) => {
      for (const index of numbers(CAUGHT_EACH)) {
        const path = `/errors/${chain}-${index}`
        expect(results.get(`${chain}-${index}`)).toMatchObject({ path })
        const [found] = await rows(
          `SELECT (properties ->> 'common:size')::int AS size FROM documents WHERE path = $1`,
          path,
        )
        expect(found).toEqual({ size })
        const children = await rows<{ name: string }>(
          `SELECT name FROM documents WHERE path LIKE $1 || '/%' ORDER BY name`,
          path,
        )
        expect(children.map(({ name }) => name)).toEqual(left)
      }
    },
  )

  test('a bulk command is given once and does each document once', async () => {
    expect(await rows('SELECT action, processed, failed, state FROM bulk_commands')).toEqual([
      { action: 'automationUi', processed: IN_BULK, failed: BAD['/bulk'].length, state: 'COMPLETED' },
    ])
    expect(await sizes('/bulk', 'File')).toEqual([
      { size: 0, count: BAD['/bulk'].length },
      { size: 1, count: IN_BULK - BAD['/bulk'].length },
    ])
    expect(
      await rows(`SELECT count(*)::int, count(DISTINCT document_id)::int AS documents FROM outbox
                  WHERE event = 'documentModified' AND payload ->> 'path' LIKE '/bulk/%'`),
    ).toEqual([{ count: 2 * (IN_BULK - BAD['/bulk'].length), documents: IN_BULK - BAD['/bulk'].length }])
  })

  test.each<[Place, () => string]>([
    ['/passed', () => passRun],
    ['/bulk', () => bulkRun],
  ])('a failed item of %s is done again alone', async (place, runId) => {
    const total = place === '/bulk' ? IN_BULK : PASSED
    const failed = BAD[place].length
    expect((await reportOf(runId())).items).toEqual({ done: total - failed, failed, total })
    await spoil(place, BAD[place].slice(0, 1), 'dc:description')
    const again = `/api/v1/automation/runs/${encodeURIComponent(runId())}/items/retry`
    const { workflowId } = await jsonOf(await call('POST', again))
    expect(await ended(String(workflowId))).toBe('COMPLETED')
    expect(await sizes(place, 'File')).toEqual([
      { size: 0, count: failed - 1 },
      { size: 1, count: total - failed + 1 },
    ])
    expect((await reportOf(runId())).items).toEqual({ done: total - failed + 1, failed: failed - 1, total })
  })
})
