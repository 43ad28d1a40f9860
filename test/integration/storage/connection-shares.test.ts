import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Database } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'

const { url } = await createTestDatabase()

const open = (connectionWait: number): Database => {
  const database = createDatabase({ url, poolSize: 1, connectionWait })
  onTestFinished(() => database.close())
  return database
}

const REFUSED = {
  code: 'unavailable',
  message: 'All connections to the database were in use for too long',
}

test('statements share a connection: none waits for the answer to another', async () => {
  const { sql } = open(100)
  const sent = Array.from({ length: 5 }, (_, n) => sql.unsafe(`SELECT pg_sleep(0.1), ${n} AS n`))
  expect((await Promise.all(sent)).map(([row]) => row?.n)).toEqual([0, 1, 2, 3, 4])
})

test('a statement that is read by cursor keeps its connection while there are more rows', async () => {
  const { sql } = open(200)
  const read: number[] = []
  for await (const rows of sql<{ n: number }[]>`SELECT n FROM generate_series(1, 3) AS n`.cursor(2)) {
    if (read.length === 0) await expect(sql`SELECT 1`).rejects.toMatchObject(REFUSED)
    read.push(...rows.map(({ n }) => n))
  }
  expect(read).toEqual([1, 2, 3])
  expect(await sql`SELECT 1 AS n`).toEqual([{ n: 1 }])
})

test('one that is left before its last rows gives its connection back', async () => {
  const { sql } = open(60_000)
  for await (const _ of sql`SELECT n FROM generate_series(1, 3) AS n`.cursor(1)) break
  expect(await sql`SELECT 1 AS n`).toEqual([{ n: 1 }])
})

test('a statement with values that is not prepared keeps its connection', async () => {
  const { sql } = open(200)
  const lasting = sql.unsafe('SELECT pg_sleep(1), $1::text AS text', ['x']).then((rows) => rows[0]?.text)
  await sleep(10)
  await expect(sql`SELECT 1`).rejects.toMatchObject(REFUSED)
  expect(await lasting).toBe('x')
})

test('what fails gives back what it has taken', async () => {
  const { sql, transaction } = open(60_000)
  for (let n = 0; n < 30; n++) {
    await expect(sql`SELECT 1 / 0`).rejects.toMatchObject({ code: '22012' })
    await expect(sql`SELECT ${undefined as never}::text`).rejects.toMatchObject({ code: 'UNDEFINED_VALUE' })
    await expect(
      sql`SELECT 1 / (2 - n) FROM generate_series(1, 3) AS n`.cursor(1, () => {}),
    ).rejects.toThrow()
    await expect(transaction((tx) => tx`SELECT 1 / 0`)).rejects.toMatchObject({ code: '22012' })
  }
  expect(await sql`SELECT 1 AS n`).toEqual([{ n: 1 }])
})

test('what still waits when the database is closed is refused', async () => {
  const database = open(60_000)
  const held = database.transaction((tx) => tx`SELECT pg_sleep(0.2), 1 AS n`)
  await sleep(10)
  const waiting = database.sql`SELECT 1`.catch(({ code }) => code)
  await sleep(10)
  await database.close()
  expect(await held).toMatchObject([{ n: 1 }])
  expect(await waiting).toBe('CONNECTION_ENDED')
})
