import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { createDatabase, databaseFailure, type Sql } from '../../storage/postgres/index.js'
import { createTestDatabase } from '../support/index.js'
import { seededRandom, testSeed } from '../support/random.js'

const CUTTING_MS = 4_000

const server = new URL((await createTestDatabase()).url)

/** Stands before the server, and cuts connections as a server does that is killed. */
const openGate = async () => {
  const sockets = new Set<Socket>()
  let isOpen = true
  const proxy = createServer((incoming) => {
    const outgoing = connect(Number(server.port), server.hostname)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        incoming.destroy()
        outgoing.destroy()
      })
    }
    incoming.pipe(outgoing).pipe(incoming)
    if (!isOpen) incoming.destroy()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: (proxy.address() as AddressInfo).port,
    open: (is: boolean): void => {
      isOpen = is
    },
    cut: (): void => {
      for (const [index, socket] of [...sockets].entries())
        index % 3 === 0 ? socket.resetAndDestroy() : socket.destroy()
    },
    close: (): void => {
      proxy.close()
    },
  }
}

const gate = await openGate()
const url = new URL(server)
url.host = `127.0.0.1:${gate.port}`
const database = createDatabase({ url: url.href, poolSize: 4 })
afterAll(async () => {
  await database.close()
  gate.close()
})

const LONG = 'x'.repeat(3_000)

const savepoint = (tx: Sql, work: (inner: Sql) => Promise<unknown>): Promise<unknown> =>
  (tx as postgres.TransactionSql).savepoint(work)

/** Each gives its own text, unless the connection is lost: what is another's would be told. */
const works: ((text: string) => Promise<unknown>)[] = [
  async (text) => (await database.sql`SELECT ${text}::text AS text`)[0]?.text,
  (text) =>
    database.transaction(async (tx) => {
      const [, [row]] = await Promise.all([
        tx`SELECT 1`,
        tx`SELECT ${text}::text AS text`,
        tx`SELECT ${LONG}::text`,
      ])
      return row?.text
    }),
  (text) =>
    database.transaction(async (tx) => {
      await savepoint(tx, async (inner) => inner`SELECT 1 / 0`).catch(() => undefined)
      return (await tx`SELECT ${text}::text AS text`)[0]?.text
    }),
  (text) =>
    database.series(async (transaction) => {
      for (let i = 0; i < 4; i++) await transaction(async (tx) => tx`SELECT ${i}::int`)
      return transaction(async (tx) => (await tx`SELECT ${text}::text AS text`)[0]?.text)
    }),
]

test('a lost connection fails what was under way on it, and is followed by others', async () => {
  const wrong: unknown[] = []
  let isOver = false
  let answers = 0
  const call = async (caller: number): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const text = `${caller}-${n}`
      try {
        const answer = await works[caller % works.length]?.(text)
        if (answer === text) answers += 1
        else wrong.push(answer)
      } catch (error) {
        const { code } = databaseFailure(error) ?? (error as { code?: string })
        if (code !== 'unavailable') wrong.push(error)
        await sleep(1)
      }
    }
  }
  const callers = Promise.all(Array.from({ length: 12 }, (_, caller) => call(caller)))
  const random = seededRandom(testSeed())
  for (const end = Date.now() + CUTTING_MS; Date.now() < end; await sleep(random() * 100)) {
    gate.open(random() < 0.7)
    gate.cut()
    await sleep(random() * 10)
    gate.open(true)
  }
  const before = answers
  await expect.poll(() => answers).toBeGreaterThanOrEqual(before + 100)
  isOver = true
  await callers
  expect(wrong).toEqual([])
})
