import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'
import { watchTables } from '../../support/watch-tables.js'

const database = createDatabase({ url: (await createTestDatabase()).url, poolSize: 1 })
const { sql } = database
afterAll(database.close)

await sql`CREATE TABLE lines (text text)`
const traces = await watchTables(sql, ['lines', 'outbox'])

test.each([
  ['a new row', 'INSERT INTO lines VALUES (1)', true],
  ['a changed row', 'UPDATE lines SET text = 2', true],
  ['a removed row', 'DELETE FROM lines', true],
  ['a statement that finds no row', 'UPDATE lines SET text = 3', false],
  ['what is rolled back', 'BEGIN; INSERT INTO lines VALUES (4); ROLLBACK', false],
])('%s', async (_what, text, leavesTrace) => {
  const before = await traces()
  await sql.unsafe(text)
  const after = await traces()
  expect(after.lines !== before.lines).toBe(leavesTrace)
  expect(after.outbox).toBe('0')
})
