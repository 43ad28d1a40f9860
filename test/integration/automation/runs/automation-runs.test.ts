import { describe, expect, test, vi } from 'vitest'
import { principalOf } from '../../../../core/access/security/index.js'
import { soon } from '../../../support/soon.js'
import { uniqueName } from '../../../support/template.js'
import type { Entity } from '../../support/rest-client.js'
import { AUTOMATION, createRunsBench, RUNS, runId } from '../../support/runs-support.js'

const bench = await createRunsBench()
const { call, deploy, start, list, ended, endedWithSteps, make, propertiesOf, change } = bench

/** Counts how often it is done to a document in `dc:rights`, then writes the property that `dc:source` names. */
const ITEM = `
- Context.RestoreDocumentInput: {name: item}
- Document.SetProperty: {xpath: 'dc:rights', value: 'expr:@{Document["dc:rights"] == null ? "" : Document["dc:rights"]}x'}
- Document.SetProperty: {xpath: 'expr:@{Document["dc:source"]}', value: done}
`
const loop = (target: string, more = '') => `
- Repository.Query: {query: 'expr:SELECT * FROM File WHERE ecm:path STARTSWITH "@{ChainParameters["folder"]}" ORDER BY ecm:name'}
- Context.SetInputAsVar: {name: found}
- Context.RunOperationOnListInNewTx: {id: ${target}, list: found, item: item${more}}
`
const PARAMS = 'params:\n- folder: {type: string, required: true}\noperations:'
const SEGMENTS = `
- Log: {message: the first segment}
- Document.SetProperty: {xpath: 'dc:rights', value: 'expr:@{Document["dc:rights"] == null ? "" : Document["dc:rights"]}x'}
- RunInNewTransaction: {id: touch}
- Document.SetProperty: {xpath: 'expr:@{Document["dc:source"]}', value: done}
`
await deploy('touch', '- Log: {message: touched}')
await deploy('item', ITEM)
await deploy('pass', `${PARAMS}${loop('item', ', rollbackGlobalOnError: false')}`)
await deploy('stop', `${PARAMS}${loop('item')}`)
await deploy('segments', SEGMENTS)
await deploy('uncaught', `onError:\n- {chain: touch, filter: '1 == 2'}\n${PARAMS}${loop('item')}`)
await deploy('nested', `${PARAMS}\n- Log: {message: nested}\n- stop`)

let count = 0
/** A folder of files, those at the given positions being refused until they are corrected. */
const filesWith = async (bad: readonly number[], size = 5): Promise<{ path: string; files: Entity[] }> => {
  const folder = await make('/', `runs-${count++}`, 'Folder')
  const files: Entity[] = []
  for (let index = 0; index < size; index++) {
    const properties = { 'dc:source': bad.includes(index) ? 'no:such' : 'dc:description' }
    files.push(await make(folder.path, `f${index}`, 'File', properties))
  }
  return { path: folder.path, files }
}

const correct = (file: Entity) => change(file.uid, { 'dc:source': 'dc:description' })

/** How often each was done, and whether it is. */
const outcomesOf = (files: readonly Entity[]): Promise<string[]> =>
  Promise.all(
    files.map(async ({ uid }) => {
      const properties = await propertiesOf(uid)
      return `${properties['dc:rights'] ?? ''}${properties['dc:description'] === 'done' ? '+' : '-'}`
    }),
  )

const startOn = async (chain: string, folder: string, options = {}) =>
  start(chain, { ...options, json: { params: { folder } } })

test.each([
  ['GET', `${RUNS}?from=yesterday`, undefined, 'from: a time as 2026-01-31T12:00:00Z is expected'],
  ['POST', `${RUNS}/x/retry?definition=new`, undefined, 'definition: one of original, current is expected'],
  ['POST', `${RUNS}/x/items/retry`, { positions: 'a' }, 'positions: expected a list of whole numbers'],
  ['POST', `${RUNS}/x/items/retry`, { positions: [] }, 'positions: expected at least one whole number'],
  [
    'POST',
    `${RUNS}/x/items/retry`,
    { positions: [1, 'a'] },
    'positions[1]: expected a whole number that is not negative',
  ],
  [
    'POST',
    `${RUNS}/x/items/retry`,
    { positions: [2_147_483_648] },
    'positions[0]: expected a whole number up to 2147483647',
  ],
  [
    'POST',
    `${RUNS}/x/items/retry`,
    { nodes: 1, position: [1] },
    'body: unknown keys nodes, position; node and positions are known',
  ],
  ['POST', `${RUNS}/x/items/retry`, { node: -1 }, 'node: expected a whole number that is not negative'],
])('%s %s with %j is refused: %s', async (method, path, json, message) => {
  const answer = await call(method, path, json && { json })
  expect(answer).toMatchObject({ status: 400, json: { message } })
})

test('an expression that asks in vain names itself, the place and what is not there', async () => {
  await deploy(
    'asks-in-vain',
    `
- Document.SetProperty: {xpath: 'dc:source', value: "expr:@{Document.title} of @{Session.getDocument('/nope').title}"}
`,
  )
  const { path } = await make('/', 'asks-in-vain', 'Folder')
  const json = { input: `doc:${path}` }
  for (const query of ['', '?dryRun=true'])
    expect(await call('POST', `${AUTOMATION}/asks-in-vain${query}`, { json })).toMatchObject({
      status: 404,
      json: {
        message: expect.stringMatching(
          /Document\.SetProperty: Expression .* fails at line 1, column 43 .*: \/nope does not exist, or may not be seen$/,
        ),
      },
    })
})

describe('the list', () => {
  test('merges workflows with inline runs page by page, filtered, the last to end first', async () => {
    const [workflow, inline] = [uniqueName('listed'), uniqueName('listed')]
    await deploy(workflow, '- Log: {message: x}')
    await deploy(inline, 'execution: inline\noperations:\n- Log: {message: x}')
    const document = await make('/', 'listed', 'Folder')
    const since = { from: new Date(Date.now() - 1_000).toISOString() }
    const ids: string[] = []
    for (const [chain, user] of [
      [workflow, 'Administrator'],
      [inline, 'Administrator'],
      [workflow, 'ann'],
      [inline, 'ann'],
      [inline, 'Administrator'],
      [workflow, 'Administrator'],
    ] as const) {
      const answer = await start(chain, {
        user,
        json: user === 'ann' ? {} : { input: `doc:${document.uid}` },
      })
      expect(answer.status, answer.text).toBeLessThan(300)
      await ended(runId(answer))
      ids.unshift(runId(answer))
    }
    const idsOf = ({ entries }: Entity): string[] =>
      entries.map((run: Entity) => run.workflowId).filter((id: string) => ids.includes(id))
    // Visibility is written behind the run, and others have runs in the same Temporal.
    const all = { pageSize: '1000' }
    await soon(async () => expect(idsOf(await list({ ...all, ...since, state: 'COMPLETED' }))).toEqual(ids))
    const pages: string[] = []
    let cursor: string | undefined
    let count = 0
    do {
      const page = await list({ ...since, pageSize: '1', ...(cursor && { cursor }) })
      count += page.entries.length
      pages.push(...idsOf(page))
      cursor = page.nextCursor
      expect(page.isNextPageAvailable).toBe(cursor !== undefined)
    } while (cursor)
    expect(pages).toEqual(ids)
    expect(count).toBeGreaterThanOrEqual(6)
    expect(idsOf(await list({ chain: inline }))).toEqual(
      [ids[4], ids[2], ids[1]].sort((a, b) => ids.indexOf(a!) - ids.indexOf(b!)),
    )
    expect(idsOf(await list({ document: '/listed' }))).toEqual([ids[0], ids[1], ids[4], ids[5]])
    expect(idsOf(await list({ ...all, user: 'ann', state: 'completed' }))).toEqual([ids[2], ids[3]])
    expect(idsOf(await list(all, { user: 'ann' }))).toEqual([ids[2], ids[3]])
    expect(idsOf(await list({ state: 'FAILED', chain: workflow }))).toEqual([])
    expect(idsOf(await list({ to: '2020-01-01T00:00:00Z' }))).toEqual([])
    expect((await list({ chain: `x' OR ChainId != '` })).entries).toEqual([])
    const other = await call('GET', `${RUNS}?user=Administrator`, { user: 'ann' })
    expect([other.status, other.json.message]).toEqual([403, expect.stringContaining('user')])
  })

  test.each([
    ['state', 'over'],
    ['from', 'yesterday'],
    ['chain', 'a\0b'],
    ['user', '\0'],
    ['document', '\0'],
    ['cursor', Buffer.from('{"isRunning":false,"at":-8640000000000000,"seen":[]}').toString('base64url')],
    ['cursor', Buffer.from('{"isRunning":true,"at":253402300800001,"seen":[]}').toString('base64url')],
    ['cursor', 'abc'],
    ['cursor', Buffer.from('{"isRunning":true,"at":1e99,"seen":[]}').toString('base64url')],
    ['pageSize', '-1'],
  ])('refuses %s=%s', async (name, value) => {
    const answer = await call('GET', `${RUNS}?${new URLSearchParams({ [name]: value })}`)
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining(name)])
  })
})

describe('counts in the list', () => {
  const listed = async (chain: string, id: string): Promise<Entity> =>
    soon(async () => {
      const { entries } = await list({ chain, pageSize: '1000' })
      const entry = entries.find(({ workflowId }: Entity) => workflowId === id)
      expect(entry).toMatchObject({ closedAt: expect.any(String) })
      return entry
    })

  test('are those of the run itself', async () => {
    const { path } = await filesWith([1, 3])
    const passed = runId(await startOn('pass', path))
    expect((await endedWithSteps(passed)).items).toEqual({ done: 3, failed: 2, total: 5 })
    expect((await listed('pass', passed)).items).toEqual({ done: 3, failed: 2, total: 5 })
    const stopped = runId(await startOn('stop', path))
    expect((await endedWithSteps(stopped)).items).toEqual({ done: 1, failed: 1, total: 5 })
    expect((await listed('stop', stopped)).items).toEqual({ done: 1, failed: 1, total: 5 })
    await deploy('fall', '- Repository.GetDocument: {value: /no/such}')
    await deploy(
      'passed-over',
      '- RunDocumentOperation: {id: fall, newTx: true, rollbackGlobalOnError: false}',
    )
    const folder = await make('/', `runs-${count++}`, 'Folder')
    const over = runId(await start('passed-over', { json: { input: `doc:${folder.uid}` } }))
    expect((await endedWithSteps(over)).incidentCount).toBe(1)
    expect((await listed('passed-over', over)).incidentCount).toBe(1)
    const plain = runId(await start('touch'))
    await ended(plain)
    const entry = await listed('touch', plain)
    expect([entry.items, entry.incidentCount]).toEqual([undefined, undefined])
  })

  test('are found for all runs of a page by one statement', async () => {
    const { tallies } = bench.platform.units.reading(principalOf('Administrator', [], true))
    const runs = Array.from({ length: 1_000 }, (_, index) => ({ workflowId: `none-${index}` }))
    expect(await tallies.of(runs)).toEqual([])
  })
})

describe('a failed run', () => {
  test('goes on at the segment that failed, under its id', async () => {
    const file = await make('/', `s${count++}`, 'File', { 'dc:source': 'no:such' })
    const headers = { 'Idempotency-Key': uniqueName('key') }
    const json = { input: `doc:${file.uid}` }
    const log = vi.spyOn(bench.platform.logger, 'info')
    const logged = (): number =>
      log.mock.calls.filter((written) => JSON.stringify(written).includes('the first segment')).length
    const failed = await start('segments', { headers, json })
    expect(logged()).toBe(1)
    expect(failed.status).toBe(400)
    const id = runId(failed)
    const report = await endedWithSteps(id)
    expect(report).toMatchObject({ status: 'FAILED', failure: { code: 'badRequest', status: 400 } })
    expect(report.nodes.map(({ status }: Entity) => status)).toEqual(['done', 'done', 'failed'])
    expect(failed.headers.get('Idempotent-Replayed')).toBeNull()
    await correct(file)
    // The key is that of the run, also when this has failed.
    const repeated = await start('segments', { headers, json })
    expect([repeated.status, runId(repeated), repeated.headers.get('Idempotent-Replayed')]).toEqual([
      400,
      id,
      'true',
    ])
    expect(repeated.json.message).toContain(
      `${failed.json.message}; this is the outcome of run ${id}, started by an earlier call`,
    )
    const background = await call('POST', `${AUTOMATION}/segments/@async`, { headers, json })
    expect([background.status, background.headers.get('Idempotent-Replayed')]).toEqual([202, 'true'])
    const again = await Promise.all([1, 2, 3].map(() => call('POST', `${RUNS}/${id}/retry`)))
    for (const { status } of again) expect([202, 409]).toContain(status)
    expect(again.map(({ status }) => status)).toContain(202)
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', workflowId: id })
    expect(await outcomesOf([file])).toEqual(['x+'])
    // What is no part of the transaction is not done again either.
    expect(logged()).toBe(1)
    const replayed = await start('segments', { headers, json })
    expect([replayed.status, replayed.headers.get('Idempotent-Replayed')]).toEqual([200, 'true'])
    const over = await call('POST', `${RUNS}/${id}/retry`)
    expect([over.status, over.json.message]).toEqual([409, expect.stringContaining('COMPLETED')])
  })

  test.each(['stop', 'nested', 'uncaught'])(
    'goes on at the item of a loop that failed: %s',
    async (chain) => {
      const { path, files } = await filesWith([2])
      const failed = await startOn(chain, path)
      expect(failed.status, failed.text).toBe(400)
      const id = runId(failed)
      expect(await outcomesOf(files)).toEqual(['x+', 'x+', '-', '-', '-'])
      const report = await endedWithSteps(chain === 'nested' ? `${id}/1` : id)
      expect(report.items).toEqual({ done: 2, failed: 1, total: 5 })
      expect(report.nodes.at(-1)).toMatchObject({
        status: 'failed',
        loop: {
          position: 2,
          total: 5,
          failed: 0,
          failures: [],
          stopped: { position: 2, status: 400, message: expect.stringContaining('no:such') },
        },
      })
      expect((await call('POST', `${RUNS}/${id}/retry`)).status).toBe(202)
      expect(await ended(id)).toMatchObject({ status: 'FAILED' })
      await correct(files[2])
      expect((await call('POST', `${RUNS}/${id}/retry`)).status).toBe(202)
      expect(await ended(id)).toMatchObject({ status: 'COMPLETED' })
      expect(await outcomesOf(files)).toEqual(['x+', 'x+', 'x+', 'x+', 'x+'])
      const corrected = await endedWithSteps(chain === 'nested' ? `${id}/1` : id)
      expect(corrected.items).toEqual({ done: 5, failed: 0, total: 5 })
      expect(corrected.nodes.at(-1).loop).not.toHaveProperty('stopped')
    },
  )

  test('reports the item whose own run has failed', async () => {
    await deploy('deep-strict-item', `${ITEM}- RunInNewTransaction: {id: touch}\n`)
    await deploy('deep-strict', `${PARAMS}${loop('deep-strict-item')}`)
    const { path, files } = await filesWith([1], 3)
    const id = runId(await startOn('deep-strict', path))
    const report = await endedWithSteps(id)
    expect(report.items).toEqual({ done: 1, failed: 1, total: 3 })
    expect(report.nodes.at(-1).loop).toMatchObject({
      position: 1,
      stopped: { position: 1, status: 400, message: expect.stringContaining('no:such') },
    })
    await correct(files[1])
    expect((await call('POST', `${RUNS}/${id}/retry`)).status).toBe(202)
    expect((await endedWithSteps(id)).items).toEqual({ done: 3, failed: 0, total: 3 })
    expect(await outcomesOf(files)).toEqual(['x+', 'x+', 'x+'])
  })

  test('is not started again by somebody who may not see it', async () => {
    const { path } = await filesWith([0], 1)
    const id = runId(await startOn('stop', path))
    for (const place of ['retry', 'items/retry'])
      expect((await call('POST', `${RUNS}/${id}/${place}`, { user: 'bob' })).status).toBe(404)
    expect((await call('DELETE', `${RUNS}/${id}`, { user: 'bob' })).status).toBe(404)
  })
})

describe('failed items of a loop that continues after them', () => {
  const passed = async (bad: readonly number[]) => {
    const { path, files } = await filesWith(bad)
    const answer = await startOn('pass', path)
    expect(answer.status, answer.text).toBeLessThan(300)
    const id = runId(answer)
    await ended(id)
    return { id, files }
  }
  const retry = (id: string, json?: object) =>
    call('POST', `${RUNS}/${id}/items/retry`, json === undefined ? {} : { json })

  test('are reported, and retried alone', async () => {
    const { id, files } = await passed([1, 3])
    const report = await endedWithSteps(id)
    expect(report).toMatchObject({ status: 'COMPLETED', items: { done: 3, failed: 2, total: 5 } })
    const { failures } = report.nodes.at(-1).loop
    expect(failures).toEqual(
      [1, 3].map((position) => ({
        position,
        id: files[position].uid,
        path: files[position].path,
        status: 400,
        message: expect.stringContaining('no:such'),
      })),
    )
    await correct(files[1])
    const answers = await Promise.all([1, 2, 3].map(() => retry(id)))
    for (const { status } of answers) expect([202, 404]).toContain(status)
    const repairs = answers.filter(({ status }) => status === 202).map(({ json }) => json)
    expect(repairs[0]).toMatchObject({ chainId: 'pass', repairs: id, principal: 'Administrator' })
    for (const { workflowId } of repairs)
      expect(await ended(workflowId)).toMatchObject({ status: 'COMPLETED' })
    expect(await outcomesOf(files)).toEqual(['x+', 'x+', 'x+', '-', 'x+'])
    expect((await endedWithSteps(id)).items).toEqual({ done: 4, failed: 1, total: 5 })
    await correct(files[3])
    const chosen = await retry(id, { node: 1, positions: [3] })
    expect(chosen.status, chosen.text).toBe(202)
    await ended(chosen.json.workflowId)
    expect((await endedWithSteps(chosen.json.workflowId)).items).toEqual({ done: 1, failed: 0, total: 1 })
    expect(await outcomesOf(files)).toEqual(['x+', 'x+', 'x+', 'x+', 'x+'])
    expect((await endedWithSteps(id)).items).toEqual({ done: 5, failed: 0, total: 5 })
    expect((await retry(id)).status).toBe(404)
  })

  test('are all done again, and listed page by page, however many they are', {
    timeout: 300_000,
  }, async () => {
    // Two pages of a loop, and more failures than a report tells.
    const [total, many] = [520, 1_010]
    await deploy('through-all', '- RunOperationOnListInNewTx: {id: touch, list: numbers}')
    const numbers = Array.from({ length: total }, (_, index) => index)
    const id = runId(await start('through-all', { json: { context: { numbers } } }))
    expect((await endedWithSteps(id)).items).toEqual({ done: total, failed: 0, total })
    // As if each had failed, which takes longer than to say so.
    await bench.platform.database.sql`
      WITH failed AS (UPDATE loop_progress SET failed = position WHERE workflow_id = ${id} RETURNING workflow_id, step)
      INSERT INTO loop_failures (workflow_id, step, position, status, message)
      SELECT workflow_id, step, position, 404, 'gone' FROM failed, generate_series(0, ${many - 1}) AS position`
    const report = await endedWithSteps(id)
    expect(report.items).toEqual({ done: 0, failed: total, total })
    expect(report.nodes[0].loop.failures).toHaveLength(1_000)
    const listed: number[] = []
    let cursor: string | undefined
    do {
      const query = new URLSearchParams({ pageSize: '400', ...(cursor && { cursor }) })
      const { status, json } = await call('GET', `${RUNS}/${id}/items?${query}`)
      expect(status).toBe(200)
      expect(json.entries[0]).toMatchObject({
        'entity-type': 'runItem',
        node: 0,
        status: 404,
        message: 'gone',
      })
      expect(json.isNextPageAvailable).toBe(json.nextCursor !== undefined)
      listed.push(...json.entries.map(({ position }: Entity) => position))
      cursor = json.nextCursor
    } while (cursor)
    expect(listed).toEqual(Array.from({ length: many }, (_, index) => index))
    await bench.platform.database.sql`
      DELETE FROM loop_failures WHERE workflow_id = ${id} AND position >= ${total}`
    const again = await retry(id)
    expect(again.status, again.text).toBe(202)
    expect((await endedWithSteps(again.json.workflowId)).items).toEqual({ done: total, failed: 0, total })
    expect((await endedWithSteps(id)).items).toEqual({ done: total, failed: 0, total })
    expect((await call('GET', `${RUNS}/${id}/items`)).json.entries).toEqual([])
    expect((await retry(id)).status).toBe(404)
  })

  test.each([
    ['cursor', 'abc'],
    ['cursor', Buffer.from('{"node":-1,"position":1}').toString('base64url')],
    ['cursor', Buffer.from('{"node":0,"position":1e12}').toString('base64url')],
    ['cursor', Buffer.from('null').toString('base64url')],
    ['pageSize', '-1'],
    ['node', 'first'],
  ])('are not listed by %s=%s', async (name, value) => {
    const { id } = await passed([])
    const answer = await call('GET', `${RUNS}/${id}/items?${new URLSearchParams({ [name]: value })}`)
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining(name)])
  })

  test('say what they failed with in few words, however long it is', async () => {
    const { path, files } = await filesWith([0, 1], 2)
    await change(files[0].uid, { 'dc:source': `no:${'x'.repeat(5_000)}` })
    const { nodes } = await endedWithSteps(runId(await startOn('pass', path)))
    const [long, short] = nodes.at(-1).loop.failures
    expect(long.message).toHaveLength(500)
    expect(short.message).toMatch(/no:such/)
  })

  test.each<[object, number, string]>([
    [{ positions: [0] }, 404, 'has no such failed items: item 0 is done'],
    [{ positions: [0, 99] }, 404, 'item 0 is done, there is no item 99'],
    [{ node: 0 }, 404, 'has no such failed items: its node 0 is no loop that it has entered'],
    [{ positions: 'all' }, 400, 'positions'],
    [{ positions: [-1] }, 400, 'positions'],
    [[], 400, 'object'],
  ])('%j is refused', async (json, status, message) => {
    const { id } = await passed([1])
    const answer = await retry(id, json)
    expect([answer.status, answer.json.message]).toEqual([status, expect.stringContaining(message)])
  })
})

test.each([
  [{}, 'the loop of node 1 stopped at item 2 and ended the run'],
  [{ positions: [2] }, 'archivolt retry stop-'],
  [{ positions: [0, 4] }, 'item 0 is done, item 4 has not begun'],
])('a run whose loop has stopped is retried itself: %j', async (json, message) => {
  const { path } = await filesWith([2])
  const id = runId(await startOn('stop', path))
  await ended(id)
  const answer = await call('POST', `${RUNS}/${id}/items/retry`, { json })
  expect([answer.status, answer.json.message]).toEqual([404, expect.stringContaining(message)])
})

test('a run that is complete says how its failed items are done again', async () => {
  const { path } = await filesWith([1, 2])
  const id = runId(await startOn('pass', path))
  await ended(id)
  const answer = await call('POST', `${RUNS}/${id}/retry`)
  expect([answer.status, answer.json.message]).toEqual([
    409,
    expect.stringMatching(/it is COMPLETED; 2 of its items failed, .*archivolt retry --items pass-/),
  ])
})

describe('what a run went on after', () => {
  const SET = (xpath: string) => `- Document.SetProperty: {xpath: '${xpath}', value: x}\n`
  const SAID = 'Context.SetVar: {name: said, value: x}'

  test('reports the failures that its calls skipped', async () => {
    await deploy(
      'to-correct',
      '- Document.SetProperty: {xpath: \'expr:@{Document["dc:source"]}\', value: done}\n',
    )
    await deploy(
      'passing',
      `${PARAMS}
- Repository.Query: {query: 'expr:SELECT * FROM File WHERE ecm:path STARTSWITH "@{ChainParameters["folder"]}" ORDER BY ecm:name'}
- RunDocumentOperation: {id: to-correct, newTx: true, rollbackGlobalOnError: false}
- Context.RunDocumentOperationInNewTx: {id: Document.SetLifeCycle, parameters: {value: fly}}
`,
    )
    const { path, files } = await filesWith([1, 3], 4)
    const answer = await startOn('passing', path)
    expect(answer.status, answer.text).toBe(200)
    const id = runId(answer)
    const report = await endedWithSteps(id)
    expect(report).toMatchObject({ status: 'COMPLETED', incidentCount: 3 })
    expect(report.incidents).toEqual([
      ...[1, 3].map((position) => ({
        kind: 'passedOver',
        at: expect.any(String),
        node: 1,
        position,
        operation: 'RunDocumentOperation',
        target: 'to-correct',
        input: { type: 'document', documentId: files[position].uid, path: files[position].path },
        failure: { code: 'badRequest', status: 400, message: expect.stringContaining('no:such') },
      })),
      expect.objectContaining({
        node: 2,
        operation: 'Context.RunDocumentOperationInNewTx',
        target: 'Document.SetLifeCycle',
        input: { type: 'documents' },
      }),
    ])
  })

  test('reports the run of its own that a call skipped', async () => {
    await deploy(
      'deep-failing',
      '- RunInNewTransaction: {id: touch}\n- Document.SetLifeCycle: {value: fly}\n',
    )
    await deploy(
      'passing-run',
      '- Context.RunDocumentOperationInNewTx: {id: deep-failing}\n- Log: {message: x}\n',
    )
    const file = await make('/', `d${count++}`, 'File')
    const report = await endedWithSteps(
      runId(await start('passing-run', { json: { input: `doc:${file.uid}` } })),
    )
    expect(report).toMatchObject({ status: 'COMPLETED', incidentCount: 1 })
    expect(report.incidents).toMatchObject([
      {
        kind: 'passedOver',
        node: 0,
        target: 'deep-failing',
        input: { path: file.path },
        failure: { status: 400 },
      },
    ])
  })

  test('names documents by their paths to who may browse them', async () => {
    await deploy(
      'passing-one',
      `- RunDocumentOperation: {id: Document.SetLifeCycle, newTx: true, rollbackGlobalOnError: false, parameters: {value: fly}}\n`,
    )
    const file = await make('/', `p${count++}`, 'File')
    const report = await endedWithSteps(
      runId(await start('passing-one', { json: { input: `doc:${file.uid}` } })),
    )
    expect(report.incidents).toMatchObject([
      { node: 0, input: { type: 'document', documentId: file.uid, path: file.path } },
    ])
    expect(report.incidents[0]).not.toHaveProperty('position')
  })

  test('reports error chains, with what they left out', async () => {
    await deploy('answering', SET('dc:description'))
    await deploy('failing-itself', '- Repository.GetDocument: {value: /no/such/error}')
    await deploy('missing', '- Repository.GetDocument: {value: /no/such}')
    const file = await make('/', `e${count++}`, 'File')
    const json = { input: `doc:${file.uid}` }
    const chainOf = (errorChain: string, steps: string) =>
      `onError:\n- {chain: ${errorChain}}\noperations:\n${steps}`
    const reportOf = async (name: string, yaml: string) => {
      await deploy(name, yaml)
      return endedWithSteps(runId(await start(name, { json })))
    }
    const statuses = ({ nodes }: Entity) => nodes.map(({ status }: Entity) => status)
    const after = { code: 'notFound', status: 404, message: expect.stringContaining('/no/such') }
    const ran = { kind: 'errorChain', errorChain: 'answering', after, outcome: 'completed' }

    const inSegment = await reportOf(
      'e-segment',
      chainOf('answering', `- missing\n- RunInNewTransaction: {id: touch}\n- ${SAID}\n`),
    )
    expect(inSegment).toMatchObject({
      status: 'COMPLETED',
      incidents: [{ ...ran, node: 0 }],
      incidentCount: 1,
    })
    expect(statuses(inSegment)).toEqual(['caught', 'skipped', 'skipped'])

    const behindCall = await reportOf(
      'e-call',
      chainOf(
        'answering',
        `- Log: {message: x}\n- RunInNewTransaction: {id: missing, rollbackGlobalOnError: true}\n- ${SAID}\n`,
      ),
    )
    expect(behindCall.incidents).toMatchObject([{ ...ran, node: 1 }])
    expect(statuses(behindCall)).toEqual(['done', 'caught', 'skipped'])

    const below = await reportOf('e-below', `- e-call\n- ${SAID}\n`)
    expect(below.incidents).toMatchObject([{ ...ran, node: 1, run: `${below.workflowId}/0` }])
    expect(statuses(below)).toEqual(['done', 'done'])

    await deploy('e-nested', chainOf('answering', '- missing\n'))
    const nested = await reportOf('e-nesting', `- e-nested\n- ${SAID}\n`)
    expect(nested.incidents).toMatchObject([{ ...ran, chain: 'e-nested', node: 0 }])
    expect(statuses(nested)).toEqual(['done'])

    const inline = await reportOf('e-inline', `execution: inline\n${chainOf('answering', '- missing\n')}`)
    expect(inline).toMatchObject({ execution: 'inline', incidents: [{ ...ran, node: 0 }] })
    expect(statuses(inline)).toEqual(['caught'])

    for (const [name, execution, steps, node] of [
      ['f-segment', 'workflow', '- missing\n', 0],
      [
        'f-call',
        'workflow',
        '- Log: {message: x}\n- RunInNewTransaction: {id: missing, rollbackGlobalOnError: true}\n',
        1,
      ],
      ['f-inline', 'inline', '- missing\n', 0],
    ] as const) {
      const failed = await reportOf(name, `execution: ${execution}\n${chainOf('failing-itself', steps)}`)
      expect(failed, name).toMatchObject({
        status: 'FAILED',
        failure: { message: expect.stringContaining('/no/such/error') },
        incidents: [
          {
            kind: 'errorChain',
            errorChain: 'failing-itself',
            after: { ...after, message: expect.not.stringContaining('/no/such/error') },
            outcome: 'failed',
            failure: { status: 404, message: expect.stringContaining('/no/such/error') },
            node,
          },
        ],
      })
      expect(statuses(failed).at(-1)).toBe('failed')
    }
  })

  test('reports the incidents of loop items, up to a maximum', { timeout: 60_000 }, async () => {
    await deploy(
      'answered-item',
      'onError:\n- {chain: touch}\noperations:\n- Repository.GetDocument: {value: "expr:/no/such/@{item}"}\n',
    )
    await deploy('answered', '- RunOperationOnListInNewTx: {id: answered-item, list: numbers}')
    const numbers = Array.from({ length: 120 }, (_, index) => index)
    const report = await endedWithSteps(runId(await start('answered', { json: { context: { numbers } } })))
    expect(report.incidentCount).toBe(120)
    expect(report.incidents).toHaveLength(100)
    expect(report.incidents[7]).toMatchObject({
      kind: 'errorChain',
      chain: 'answered-item',
      errorChain: 'touch',
      node: 0,
      position: 7,
    })
    // All of one transaction.
    await deploy('answered-at-once', '- RunOperationOnList: {id: answered-item, list: numbers}')
    const atOnce = await endedWithSteps(
      runId(await start('answered-at-once', { json: { context: { numbers } } })),
    )
    expect([atOnce.incidentCount, atOnce.incidents.length]).toEqual([120, 100])
    const long = await make('/', `l${count++}`, 'File', { 'dc:source': `no:${'x'.repeat(5_000)}` })
    await deploy('long', '- RunInNewTransaction: {id: to-correct}\n')
    const { incidents } = await endedWithSteps(
      runId(await start('long', { json: { input: `doc:${long.uid}` } })),
    )
    expect(incidents[0].failure.message).toHaveLength(500)
  })
})

test('an element that is a run of its own is started again by itself', async () => {
  await deploy('deep-item', `${ITEM}- RunInNewTransaction: {id: touch}\n`)
  await deploy('deep', `${PARAMS}${loop('deep-item', ', rollbackGlobalOnError: false')}`)
  const { path, files } = await filesWith([1], 3)
  const id = runId(await startOn('deep', path))
  await ended(id)
  const run = await endedWithSteps(id)
  expect(run.items).toEqual({ done: 2, failed: 1, total: 3 })
  expect(run.nodes.at(-1).loop.failures).toEqual([
    expect.objectContaining({ position: 1, status: 400, message: expect.stringContaining('no:such') }),
  ])
  await correct(files[1])
  const child = `${id}/1/1`
  const place = `${RUNS}/${encodeURIComponent(child)}`
  expect((await call('GET', place, { user: 'bob' })).status).toBe(404)
  expect((await call('POST', `${place}/retry`)).status).toBe(202)
  expect(await ended(child)).toMatchObject({ status: 'COMPLETED' })
  expect(await outcomesOf(files)).toEqual(['x+', 'x+', 'x+'])
  // It is no failed item of the run above it any more.
  expect((await endedWithSteps(id)).items).toEqual({ done: 3, failed: 0, total: 3 })
  expect((await call('GET', `${RUNS}/${id}/items`)).json.entries).toEqual([])
  expect((await call('POST', `${RUNS}/${id}/items/retry`)).status).toBe(404)
})

test('a run that goes on is cancelled, and listed as running until then', async () => {
  const { path } = await filesWith([], 1)
  const { sql } = bench.platform.database
  const id = await sql.begin(async (tx) => {
    await tx`LOCK TABLE loop_progress IN EXCLUSIVE MODE`
    const answer = await call('POST', `${AUTOMATION}/stop/@async`, { json: { params: { folder: path } } })
    const started = runId(answer)
    await soon(async () => {
      const { entries } = await list({ state: 'RUNNING', chain: 'stop' })
      expect(entries.map(({ workflowId }: Entity) => workflowId)).toContain(started)
    })
    expect((await call('POST', `${RUNS}/${started}/retry`)).status).toBe(409)
    expect((await call('DELETE', `${RUNS}/${started}`)).status).toBe(202)
    // The activity that is held up does not hold up the end of its run.
    expect(await ended(started)).toMatchObject({ status: 'CANCELLED' })
    return started
  })
  const over = await call('DELETE', `${RUNS}/${id}`)
  expect([over.status, over.json.message]).toEqual([409, expect.stringContaining('CANCELLED')])
})

test.each([
  ['stop', 2, 'original'],
  ['stop', 0, 'current'],
  ['nested', 2, 'original'],
  ['pass', 3, 'original'],
] as const)(
  'a run of %s that was cancelled at item %i goes on there, each done once: %s',
  async (chain, held, definition) => {
    const { path, files } = await filesWith([])
    const id = await bench.platform.database.transaction(async (sql) => {
      await sql`SELECT FROM documents WHERE id = ${files[held]?.uid} FOR UPDATE`
      const started = runId(
        await call('POST', `${AUTOMATION}/${chain}/@async`, { json: { params: { folder: path } } }),
      )
      await soon(async () =>
        expect((await outcomesOf(files)).filter((done) => done === 'x+')).toHaveLength(held),
      )
      await soon(async () => {
        const page = await bench.platform.database.sql`
          SELECT FROM loop_progress WHERE workflow_id LIKE ${`${started}%`}`
        expect(page).toHaveLength(1)
      })
      expect((await call('DELETE', `${RUNS}/${started}`)).status).toBe(202)
      expect(await ended(started)).toMatchObject({ status: 'CANCELLED' })
      return started
    })
    const again = await Promise.all(
      [1, 2].map(() => call('POST', `${RUNS}/${id}/retry?definition=${definition}`)),
    )
    for (const { status, text } of again) expect([202, 409], text).toContain(status)
    expect(again.map(({ status }) => status)).toContain(202)
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', workflowId: id })
    expect(await outcomesOf(files)).toEqual(Array(5).fill('x+'))
  },
)

test('a run that was cancelled within a transaction goes on there, each step done once', async () => {
  const { files } = await filesWith([], 1)
  const [file] = files as [Entity]
  const id = await bench.platform.database.transaction(async (sql) => {
    await sql`SELECT FROM documents WHERE id = ${file.uid} FOR UPDATE`
    const json = { input: `doc:${file.uid}` }
    const started = runId(await call('POST', `${AUTOMATION}/segments/@async`, { json }))
    expect((await call('DELETE', `${RUNS}/${started}`)).status).toBe(202)
    return started
  })
  expect(await ended(id)).toMatchObject({ status: 'CANCELLED' })
  const again = await call('POST', `${RUNS}/${id}/retry`)
  expect(again.status, again.text).toBe(202)
  expect(await ended(id)).toMatchObject({ status: 'COMPLETED' })
  expect(await outcomesOf([file])).toEqual(['x+'])
})
