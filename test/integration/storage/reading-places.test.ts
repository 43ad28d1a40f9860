import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../../schema/index.js'
import { createDatabase, createIndexFeed, createOutboxRelay } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'

/** What follows events, or goes through subtrees, reads from where it is on, however much lies before it. */

const ROWS = 20_000
/** Entries of an index that a few reads go through. */
const FEW = 500

const { url } = await createTestDatabase()
// One connection, whose counts are there once it has sent them.
const database = createDatabase({ url, poolSize: 1 })
const { sql } = database
const feed = createIndexFeed(database)
const leaf = randomUUID()
afterAll(() => database.close())

beforeAll(async () => {
  await migrate(url)
  await sql`
    INSERT INTO outbox (event, principal, payload) SELECT 'documentModified', 'ann', '{}' FROM generate_series(1, ${ROWS})`
  await sql`
    INSERT INTO documents (id, name, path, type, scope_id, properties)
    SELECT gen_random_uuid(), 'n' || n, '/n' || n, 'File', 1, '{}' FROM generate_series(1, ${ROWS}) n`
  await sql`
    INSERT INTO documents (id, name, path, type, scope_id, properties) VALUES (${leaf}, 'z', '/z', 'File', 1, '{}')`
  await sql`
    INSERT INTO outbox_cursors (name, transaction_id, event_id)
    SELECT name, max(transaction_id::bigint), max(id) FROM outbox, unnest(ARRAY['audit', 'search index']) name GROUP BY name`
  await sql`ANALYZE outbox, documents`
})

const readOf = async (index: string): Promise<number> => {
  await sql`SELECT pg_stat_force_next_flush()`
  const [row] = await sql<{ read: number }[]>`
    SELECT idx_tup_read::int AS read FROM pg_stat_user_indexes WHERE indexrelname = ${index}`
  return row?.read ?? 0
}

const reads = async (index: string, work: () => Promise<unknown>): Promise<number> => {
  const before = await readOf(index)
  for (let times = 0; times < 10; times++) await work()
  return (await readOf(index)) - before
}

test.each([
  ['a relay', 'outbox_relayed', () => createOutboxRelay(database, 'audit').next(10, async () => 0)],
  ['the feed of an index', 'outbox_relayed', () => feed.events('index', 10)],
  ['what is below a document', 'documents_path', () => feed.below(leaf, null, 10)],
])('%s', async (_, index, work) => {
  expect(await reads(index, work)).toBeLessThan(FEW)
})
