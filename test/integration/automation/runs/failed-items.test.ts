import { describe, expect, test } from 'vitest'
import { createItemLoops, ITEM, loop, PARAMS } from '../../support/item-loops.js'
import type { Entity } from '../../support/rest-client.js'
import { createRunsBench, RUNS, runId } from '../../support/runs-support.js'

const bench = await createRunsBench()
const { call, deploy, start, ended, endedWithSteps, change } = bench

const { filesWith, correct, outcomesOf, startOn } = await createItemLoops(bench)

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
