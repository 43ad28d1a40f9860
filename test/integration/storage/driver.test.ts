import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, expect, onTestFinished, test } from 'vitest'
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

/** The driver alone: nothing limits what is sent to a connection. */
const openDriver = (address: string, options: postgres.Options<Record<string, never>>): postgres.Sql => {
  const sql = postgres(address, { onnotice: () => {}, ...options })
  onTestFinished(() => void sql.end({ timeout: 0 }))
  return sql
}

const HANGS_MS = 20_000

/** What a promise gives, or `hangs` when that takes longer than anything here may. */
const settled = <Result>(promise: Promise<Result>): Promise<Result | 'hangs'> =>
  Promise.race([promise, sleep(HANGS_MS, 'hangs' as const)])

test('a transaction is one also when it begins as the last that a busy connection takes', async () => {
  const MOST_SENT = 100
  const sql = openDriver(url, { max: 2 })
  await Promise.all([sql`SELECT pg_sleep(0.1)`, sql`SELECT pg_sleep(0.1)`])
  const busy = Array.from({ length: 2 * MOST_SENT }, (_, n) =>
    sql.unsafe(`SELECT pg_sleep(${n < 2 ? 0.3 : 0})`).execute(),
  )
  const text = 'last'
  const notes = Array.from({ length: 4 }, () =>
    sql.begin(async (tx) => {
      await tx`INSERT INTO notes VALUES (${text})`
    }),
  )
  await Promise.all([...busy, ...notes])
  const [row] = await aside`SELECT count(*)::int AS n FROM notes WHERE text = ${text}`
  expect(row?.n).toBe(notes.length)
})

test('a statement that is sent when its transaction is over is refused', async () => {
  let late: Sql | undefined
  await database.transaction(async (tx) => {
    late = tx
  })
  await expect(late!`SELECT 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
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
    // Either may fail before anybody looks at it.
    for (const sent of [first, second]) sent.catch(() => undefined)
    const [row] = await aside`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`
    await aside`SELECT pg_terminate_backend(${row?.pid})`
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

const pidOf = async (sql: postgres.Sql): Promise<number> => {
  const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
  return row?.pid ?? 0
}

/** Waits until a backend works on a statement. */
const busy = (pid: number): Promise<void> =>
  expect
    .poll(async () => (await aside`SELECT state FROM pg_stat_activity WHERE pid = ${pid}`)[0]?.state)
    .toBe('active')

const terminate = async (pid: number): Promise<void> => {
  await aside`SELECT pg_terminate_backend(${pid})`
}

/** A driver of one connection that is open, and its socket. */
const openSocket = async (): Promise<{ sql: postgres.Sql; socket: Socket }> => {
  const { port, hostname } = new URL(url)
  const sockets: Socket[] = []
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    sockets.push(socket)
    return socket
  }
  const sql = openDriver(url, { max: 1, ...{ socket: open } })
  await sql`SELECT 1`
  return { sql, socket: sockets[0]! }
}

test('a connection that is closed before a statement is written serves the next', async () => {
  const { sql, socket } = await openSocket()
  // The statement would be written after the close of a socket that is destroyed now.
  await nextTurn()
  const lost = sql.unsafe('SELECT 1').catch(({ code }) => code)
  await Promise.resolve()
  socket.destroy()
  expect(await settled(lost)).toBe('CONNECTION_CLOSED')
  expect(await settled(sql.unsafe('SELECT 2 AS n'))).toEqual([{ n: 2 }])
})

test('a statement that is sent between the error of its connection and the close fails', async () => {
  const { sql, socket } = await openSocket()
  const failed = once(socket, 'error')
  socket.destroy(new Error('lost'))
  await failed
  const late = sql.unsafe('SELECT 1').catch(({ code }) => code)
  expect(await settled(late)).toBe('CONNECTION_CLOSED')
  expect(await settled(sql.unsafe('SELECT 2 AS n'))).toEqual([{ n: 2 }])
})

test('what a transaction sends in answer to the loss of its connection is refused', async () => {
  const { sql, socket } = await openSocket()
  const pid = await pidOf(sql)
  // Its backend would sleep on, as nobody notifies it of the loss.
  onTestFinished(() => terminate(pid))
  let refused: Promise<unknown> | undefined
  const lost = sql.begin((tx) =>
    tx.unsafe('SELECT pg_sleep(60)').catch((error) => {
      refused = tx.unsafe('SELECT 1').catch(({ code }) => code)
      throw error
    }),
  )
  const failed = lost.catch(({ code }) => code)
  await sleep(100)
  socket.destroy()
  expect(await settled(failed)).toBe('CONNECTION_CLOSED')
  expect(await settled(refused!)).toBe('CONNECTION_CLOSED')
})

test('the error that a connection is lost with is not given to the statement after', async () => {
  const sql = openDriver(url, { max: 1 })
  const pid = await pidOf(sql)
  const lost = sql`SELECT pg_sleep(60)`.catch(({ code }) => code)
  await busy(pid)
  await terminate(pid)
  expect(await lost).toMatch(LOST)
  expect(await settled(sql`SELECT 2 AS n`)).toEqual([{ n: 2 }])
})

test('a pool whose connection was lost can be closed', async () => {
  const sql = openDriver(url, { max: 1 })
  const pid = await pidOf(sql)
  const lost = sql`SELECT pg_sleep(60)`.catch(({ code }) => code)
  await busy(pid)
  await terminate(pid)
  expect(await lost).toMatch(LOST)
  expect(await settled(sql.end())).not.toBe('hangs')
})

test('a connection that is closed before it is ready fails what it was opened for', async () => {
  const closing = await openDatabaseGate(url, () => 0.9)
  onTestFinished(closing.close)
  closing.greet('cut')
  const sql = openDriver(closing.url, { max: 1 })
  await expect(settled(sql`SELECT 1`)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
})

test('a connection whose first look at the types fails ends nothing but its statement', async () => {
  const sql = openDriver(url, { max: 1, connection: { statement_timeout: 1 } })
  await expect(sql`SELECT pg_sleep(60)`).rejects.toMatchObject({ code: '57014' })
})

test('rows that are read batch by batch may be left when their connection was lost', async () => {
  const sql = openDriver(url, { max: 1 })
  for await (const rows of sql`SELECT n, pg_backend_pid() AS pid FROM generate_series(1, 5) AS n`.cursor(2)) {
    await terminate(rows[0]?.pid)
    await sleep(100)
    break
  }
  expect(await settled(sql`SELECT 2 AS n`)).toEqual([{ n: 2 }])
})

test('a server that answers one statement after the other is not out of reach', async () => {
  const sql = openDriver(url, { max: 1, answer_timeout: 2 })
  const sent = Array.from({ length: 4 }, (_, n) => sql.unsafe(`SELECT pg_sleep(0.8), ${n} AS n`))
  expect((await Promise.all(sent)).map(([row]) => row?.n)).toEqual([0, 1, 2, 3])
})

test('the connection that was used last is used next', async () => {
  const sql = openDriver(url, { max: 3 })
  const busy = await Promise.all(
    Array.from({ length: 3 }, () => sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid, pg_sleep(0.1)`),
  )
  expect(new Set(busy.map(([row]) => row?.pid)).size).toBe(3)
  const next: number[] = []
  for (let call = 0; call < 5; call++) {
    const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
    next.push(row?.pid ?? 0)
  }
  expect(new Set(next).size).toBe(1)
})
