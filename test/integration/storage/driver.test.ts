import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { MIGRATION_LOCK, migrate } from '../../../schema/migrate.js'
import { createDatabase, type Sql } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'
import { openDatabaseGate } from '../support/database-gate.js'

/** Where the driver as it is published forgets a caller, or mistakes one for another: see `patches/`. */

const { url } = await createTestDatabase()
const database = createDatabase({ url, poolSize: 2 })
const { aside } = database
await aside`CREATE TABLE notes (text text)`
afterAll(() => database.close())

test('a statement that fails in the middle of its rows leaves none of them to the next', async () => {
  const failing = aside`SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n`
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect([...(await aside`SELECT 1 AS n`)]).toEqual([{ n: 1 }])
})

/** Sent in one breath: one that lasts, one with a value that cannot be sent, one behind it. */
const withBadValue = (sql: Sql): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled([
    sql`SELECT pg_sleep(0.1), 1 AS n`,
    sql`SELECT ${undefined as never}::text`,
    sql`SELECT 3 AS n`,
  ])

const BAD_VALUE_ALONE = [
  { status: 'fulfilled', value: [{ n: 1 }] },
  { status: 'rejected', reason: { code: 'UNDEFINED_VALUE' } },
  { status: 'fulfilled', value: [{ n: 3 }] },
]

test('a value that cannot be sent fails its own statement alone', async () => {
  expect(await withBadValue(aside)).toMatchObject(BAD_VALUE_ALONE)
  let inside: unknown
  const failed = database.transaction(async (tx) => {
    inside = await withBadValue(tx)
  })
  await expect(failed).rejects.toMatchObject({ code: 'UNDEFINED_VALUE' })
  expect(inside).toMatchObject(BAD_VALUE_ALONE)
  expect([...(await aside`SELECT 1 AS n`)]).toEqual([{ n: 1 }])
})

test('a transaction is one also when it begins as the last that a busy connection takes', async () => {
  const MOST_SENT = 100
  const { sql } = database
  const busy = Array.from({ length: 2 * MOST_SENT }, (_, n) => sql`SELECT pg_sleep(${n < 2 ? 0.3 : 0})`)
  const text = 'last'
  const notes = Array.from({ length: 4 }, () =>
    database.transaction(async (tx) => {
      await tx`INSERT INTO notes VALUES (${text})`
    }),
  )
  await Promise.all([...busy, ...notes])
  const [row] = await aside`SELECT count(*)::int AS n FROM notes WHERE text = ${text}`
  expect(row?.n).toBe(notes.length)
})

const LOST = /^(CONNECTION_CLOSED|ECONNRESET|57P01)$/

const endBackend = async (tx: Sql): Promise<void> => {
  const [row] = await tx`SELECT pg_backend_pid() AS pid`
  await aside`SELECT pg_terminate_backend(${row?.pid})`
}

const savepoint = (tx: Sql, work: (inner: Sql) => Promise<unknown>): Promise<unknown> =>
  (tx as postgres.TransactionSql).savepoint(work)

/** Ways in which work may wait for an answer when its connection is lost. */
const waits: Record<string, (tx: Sql) => Promise<unknown>> = {
  'a statement': async (tx) => {
    await endBackend(tx)
    return tx`SELECT 1`
  },
  'a statement behind others': async (tx) => {
    const text = 'x'
    // Its values are to be described first, so that the next is not sent yet.
    const first = Promise.resolve(tx`SELECT pg_sleep(5), ${text}::text`)
    const second = Promise.resolve(tx`SELECT 2`)
    const [row] = await aside`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`
    await aside`SELECT pg_terminate_backend(${row?.pid})`
    first.catch(() => undefined)
    return second
  },
  'a savepoint': (tx) =>
    savepoint(tx, async (inner) => {
      await endBackend(tx)
      await inner`SELECT 1`
    }),
}

test.each(Object.entries(waits))(
  'work that waits for %s goes on when its connection is lost',
  async (_, wait) => {
    let hasEnded = false
    const lost = database.transaction(async (tx) => {
      try {
        await wait(tx)
      } finally {
        hasEnded = true
      }
    })
    await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(LOST) })
    await expect.poll(() => hasEnded).toBe(true)
  },
)

test.each(Object.entries(waits))(
  'a series in which work waits for %s ends when its connection is lost',
  async (_, wait) => {
    const lost = database.series((transaction) => transaction(async (tx) => void (await wait(tx))))
    await expect(Promise.race([lost, sleep(30_000, 'hangs')])).rejects.toThrow()
  },
)

test('rows that are read batch by batch do not end where their connection was lost', async () => {
  const read = async (): Promise<number> => {
    let seen = 0
    for await (const rows of database.sql`SELECT n, pg_backend_pid() AS pid FROM generate_series(1, 5) AS n`.cursor(
      2,
    )) {
      seen += rows.length
      await aside`SELECT pg_terminate_backend(${rows[0]?.pid})`
      await sleep(100)
    }
    return seen
  }
  await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(LOST) })
})

test('a start whose connection is reset fails, instead of waiting for its end', async () => {
  const reset = await openDatabaseGate(url, () => 0)
  await database.transaction(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`
    const started = migrate(reset.url)
    const waiting = () => aside`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
    await expect.poll(async () => (await waiting()).length).toBe(1)
    reset.cut()
    await expect(Promise.race([started, sleep(30_000, 'hangs')])).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
  })
  reset.close()
})
