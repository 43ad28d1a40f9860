import { expect, test } from 'vitest'
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
    await expect(readRows(texts(rows, 15_000_000), rows)).rejects.toMatchObject({ code: 'tooLarge' })
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
    const read = await readRows(texts(rows, length), 1_000)
    expect(read.map(({ row }) => row)).toEqual(Array.from({ length: rows }, (_, index) => index + 1))
  }
})

test('four large lists are read at once, and another is to be tried again', async () => {
  const list = () => readRows(texts(3_000, 10_000), 3_000)
  const all = await Promise.allSettled(Array.from({ length: 8 }, list))
  const refused = all.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'tooManyRequests', retryable: true, retryAfter: 1 })
  expect(all.length - refused.length).toBeGreaterThanOrEqual(4)
  expect(await list()).toHaveLength(3_000)
})

test('the connection goes on after a list that was too large', async () => {
  await sql.begin(async (transaction) => {
    const large = transaction<{ text: string }[]>`
      SELECT repeat('x', 15000000) AS text FROM generate_series(1, 50)`
    await expect(readRows(large, 50)).rejects.toMatchObject({ code: 'tooLarge' })
    expect(await transaction`SELECT 1 AS one`).toEqual([{ one: 1 }])
  })
})
