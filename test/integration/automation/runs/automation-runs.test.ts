import { describe, expect, test, vi } from 'vitest'
import { principalOf } from '../../../../core/access/security/index.js'
import { soon } from '../../../support/soon.js'
import { uniqueName } from '../../../support/template.js'
import { createItemLoops, ITEM, loop, PARAMS } from '../../support/item-loops.js'
import type { Entity } from '../../support/rest-client.js'
import { AUTOMATION, createRunsBench, RUNS, runId } from '../../support/runs-support.js'

const bench = await createRunsBench()
const { call, deploy, start, list, ended, endedWithSteps, make } = bench

const { filesWith, correct, outcomesOf, startOn } = await createItemLoops(bench)

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
    const folder = await make('/', uniqueName('runs'), 'Folder')
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
    const file = await make('/', uniqueName('s'), 'File', { 'dc:source': 'no:such' })
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
