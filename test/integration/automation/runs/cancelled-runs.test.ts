import { expect, test } from 'vitest'
import { soon } from '../../../support/soon.js'
import { createItemLoops } from '../../support/item-loops.js'
import type { Entity } from '../../support/rest-client.js'
import { AUTOMATION, createRunsBench, RUNS, runId } from '../../support/runs-support.js'

const bench = await createRunsBench()
const { call, list, ended } = bench

const { filesWith, outcomesOf } = await createItemLoops(bench)

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
