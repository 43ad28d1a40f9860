import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database, databaseFailure, type Sql } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'

const { url } = await createTestDatabase()
const database: Database = createDatabase({ url, poolSize: 1 })
const killer: Database = createDatabase({ url, poolSize: 1 })

beforeAll(async () => {
  await killer.sql`CREATE TABLE notes (text text)`
})
afterAll(async () => {
  await database.close()
  await killer.close()
})

const pidOf = async (tx: Sql): Promise<number> => {
  const [row] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
  return row?.pid ?? 0
}

const notes = async (): Promise<string[]> =>
  (await killer.sql<{ text: string }[]>`SELECT text FROM notes ORDER BY text`).map(({ text }) => text)

const gate = (): { open(): void; passed: Promise<void> } => {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), passed }
}

test('what a transaction still sends after its connection was lost reaches nobody', async () => {
  const isReplaced = gate()
  const isRefused = gate()
  let refusal: unknown
  const lost = database.transaction(async (tx) => {
    await tx`INSERT INTO notes VALUES ('lost, first')`
    const pid = await pidOf(tx)
    await killer.sql`SELECT pg_terminate_backend(${pid})`
    await isReplaced.passed
    try {
      await tx`INSERT INTO notes VALUES ('lost, second')`
    } catch (error) {
      refusal = error
      isRefused.open()
      throw error
    }
  })
  await expect(lost).rejects.toThrow()

  // The only connection of the pool serves the next transaction while the lost one goes on and fails.
  await database.transaction(async (tx) => {
    await tx`INSERT INTO notes VALUES ('kept, first')`
    isReplaced.open()
    await isRefused.passed
    await new Promise((resolve) => setTimeout(resolve, 50))
    await tx`INSERT INTO notes VALUES ('kept, second')`
    expect(await notes()).toEqual([])
  })
  expect(databaseFailure(refusal)?.code).toBe('unavailable')
  expect(await notes()).toEqual(['kept, first', 'kept, second'])
})
