import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { createDatabase, databaseFailure, type Sql } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'
import { seededRandom, testSeed } from '../../support/random.js'
import { sized } from '../../support/size.js'
import { openDatabaseGate } from '../support/database-gate.js'

const CUTTING_MS = sized({ full: 6_000, sample: 3_000 })

const { url } = await createTestDatabase()
const random = seededRandom(testSeed())
const gate = await openDatabaseGate(url, random)
const database = createDatabase({ url: gate.url, poolSize: 4 })
afterAll(async () => {
  await database.close()
  gate.close()
})

const LONG = 'x'.repeat(3_000)

const savepoint = (tx: Sql, work: (inner: Sql) => Promise<unknown>): Promise<unknown> =>
  (tx as postgres.TransactionSql).savepoint(work)

const textOf = async (sql: Sql, text: string): Promise<unknown> =>
  (await sql`SELECT ${text}::text AS text`)[0]?.text

const failAlone = (tx: Sql): Promise<unknown> =>
  savepoint(tx, async (inner) => inner`SELECT 1 / 0`).catch(() => undefined)

/** Each gives its own text, unless the connection is lost: what is another's would be seen. */
const works: Record<string, (text: string) => Promise<unknown>> = {
  'the pool': (text) => textOf(database.sql, text),
  'the connection beside it': async (text) => {
    const rows = await database.aside.unsafe('SELECT $1::text AS text', [text], { prepare: true })
    return rows[0]?.text
  },
  'many rows': async (text) => {
    const rows =
      await database.sql`SELECT ${text}::text AS text, ${LONG}::text AS long FROM generate_series(1, 20)`
    return rows.length === 20 ? rows[19]?.text : rows
  },
  'a transaction': (text) =>
    database.transaction(async (tx) => {
      const [, found] = await Promise.all([tx`SELECT 1`, textOf(tx, text), tx`SELECT ${LONG}::text`])
      return found
    }),
  'a savepoint': (text) =>
    database.transaction(async (tx) => {
      await failAlone(tx)
      return textOf(tx, text)
    }),
  'a statement beside the commit': (text) =>
    database.transaction(async (tx, _, withCommit) => {
      const found = await textOf(tx, text)
      withCommit(textOf(tx, LONG))
      return found
    }),
  'a series': (text) =>
    database.series(async (transaction) => {
      for (let i = 0; i < 4; i++) await transaction(async (tx) => tx`SELECT ${i}::int`)
      return transaction((tx) => textOf(tx, text))
    }),
  'a series with savepoints': (text) =>
    database.series(async (transaction) => {
      for (let i = 0; i < 4; i++) await transaction(failAlone)
      return transaction((tx) => textOf(tx, text))
    }),
  'a series with statements beside the commits': (text) =>
    database.series(async (transaction) => {
      for (let i = 0; i < 4; i++) await transaction(async (tx, _, withCommit) => withCommit(textOf(tx, LONG)))
      return transaction((tx) => textOf(tx, text))
    }),
}

/** What becomes of connections when their server is killed and starts again. */
const harm = async (): Promise<void> => {
  const way = random()
  if (way < 0.4) gate.cutAfter(Math.floor(random() * 3_000))
  else if (way < 0.7) gate.cut()
  else {
    gate.greet(random() < 0.5 ? 'cut' : 'starting')
    gate.cut()
    await sleep(random() * 40)
    gate.greet('none')
  }
}

test('a lost connection fails what was under way on it, and is followed by others', async () => {
  const wrong: unknown[] = []
  const answers = new Map<string, number>()
  let isOver = false
  const call = async (name: string, work: (text: string) => Promise<unknown>): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const text = `${name} ${n}`
      try {
        const answer = await work(text)
        if (answer === text) answers.set(name, (answers.get(name) ?? 0) + 1)
        else wrong.push(answer)
      } catch (error) {
        const { code } = databaseFailure(error) ?? (error as { code?: string })
        if (code !== 'unavailable') wrong.push(error)
        await sleep(1)
      }
    }
  }
  const callers = Object.entries(works).flatMap(([name, work]) => [call(name, work), call(name, work)])
  for (const end = Date.now() + CUTTING_MS; Date.now() < end; await sleep(random() * 60)) await harm()
  gate.cutAfter(Number.POSITIVE_INFINITY)
  // Each goes on: nobody waits for an answer that was lost.
  const before = new Map(answers)
  for (const name of Object.keys(works))
    await expect
      .poll(() => answers.get(name) ?? 0, { message: name })
      .toBeGreaterThanOrEqual((before.get(name) ?? 0) + 10)
  isOver = true
  await Promise.all(callers)
  expect(wrong).toEqual([])
})

test('a server that is out of reach fails what waits for it, and is reached again', async () => {
  const own = await openDatabaseGate(url, random)
  const impatient = createDatabase({ url: own.url, poolSize: 2, statementTimeout: 300, silence: 700 })
  const { sql, aside } = impatient
  const used = await Promise.all([sql`SELECT pg_sleep(0.1)`, sql`SELECT pg_sleep(0.1)`, aside`SELECT 1`])
  own.stall()
  const waiting = [
    sql`SELECT 1`,
    aside`SELECT 1`,
    impatient.transaction((tx) => textOf(tx, LONG)),
    impatient.series((transaction) => transaction((tx) => textOf(tx, LONG))),
  ]
  const outcomes = await Promise.allSettled(waiting)
  const failures = outcomes.flatMap((one) =>
    one.status === 'rejected' ? [databaseFailure(one.reason)?.code] : [],
  )
  expect(failures.length).toBeGreaterThanOrEqual(used.length)
  expect(new Set(failures)).toEqual(new Set(['unavailable']))
  expect([...(await sql`SELECT 4 AS n`), ...(await aside`SELECT 5 AS n`)]).toEqual([{ n: 4 }, { n: 5 }])
  await impatient.close()
  own.close()
})

test('what may take its time is waited for', async () => {
  const impatient = createDatabase({ url, poolSize: 2, statementTimeout: 200, silence: 200 })
  const slept = impatient.transaction(async (tx) => {
    await tx.unsafe('SET LOCAL statement_timeout = 0', [], { patient: true })
    return tx`SELECT pg_sleep(1), 1 AS n`
  })
  expect(await slept).toMatchObject([{ n: 1 }])
  await impatient.close()
})

test('a connection of what may take its time is no exception afterwards', async () => {
  const own = await openDatabaseGate(url, random)
  const impatient = createDatabase({ url: own.url, poolSize: 1, statementTimeout: 300, silence: 700 })
  await impatient.transaction((tx) => tx.unsafe('SET LOCAL statement_timeout = 0', [], { patient: true }))
  own.stall()
  const failure = await impatient.sql`SELECT 1`.catch(databaseFailure)
  expect(failure).toMatchObject({ code: 'unavailable' })
  await impatient.close()
  own.close()
})
