import { expect, test } from 'vitest'
import { type Principal, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import { readRows } from '../../../storage/postgres/rows/index.js'
import { createTestPlatform } from '../support/rest-support.js'

const { sql } = (await createTestPlatform()).database

const texts = (rows: number, length: number) =>
  sql<{ text: string; row: number }[]>`
    SELECT repeat('x', ${length}::int) AS text, row FROM generate_series(1, ${rows}::int) AS row`

test.each([9, 100, 1_000])(
  'of %i rows as large as requests are, those of one list are read',
  async (rows) => {
    const begun = performance.now()
    await expect(readRows(texts(rows, 15_000_000), { atMost: rows, owner: SYSTEM })).rejects.toMatchObject({
      code: 'tooLarge',
    })
    // Nobody has to make and send the others.
    expect(performance.now() - begun).toBeLessThan(20_000)
  },
)

test('rows of any size are read in order, each once', async () => {
  for (const [rows, length] of [
    [8, 10],
    [250, 10],
    [30, 1_000_000],
  ] as const) {
    const read = await readRows(texts(rows, length), { atMost: 1_000, owner: SYSTEM })
    expect(read.map(({ row }) => row)).toEqual(Array.from({ length: rows }, (_, index) => index + 1))
  }
})

test('a user reads one large list at a time, which keeps nobody else from one', async () => {
  const finished: string[] = []
  const list = async (owner: Principal) => {
    const rows = await readRows(texts(1_000, 10_000), { atMost: 1_000, owner })
    finished.push(owner.name)
    return rows.length
  }
  const [ann, bob] = [principalOf('ann', [], false), principalOf('bob', [], false)]
  const asked = [...Array.from({ length: 8 }, () => list(ann)), list(bob), list(SYSTEM)]
  expect(await Promise.all(asked)).toEqual(Array(10).fill(1_000))
  expect(finished.indexOf('bob')).toBeLessThan(5)
  expect(finished.indexOf(SYSTEM.name)).toBeLessThan(5)
})

test('the connection goes on after a list that was too large', async () => {
  await sql.begin(async (transaction) => {
    const large = transaction<{ text: string }[]>`
      SELECT repeat('x', 15000000) AS text FROM generate_series(1, 50)`
    await expect(readRows(large, { atMost: 50, owner: SYSTEM })).rejects.toMatchObject({ code: 'tooLarge' })
    expect(await transaction`SELECT 1 AS one`).toEqual([{ one: 1 }])
  })
})
