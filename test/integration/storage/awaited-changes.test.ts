import { afterAll, expect, test } from 'vitest'
import { createDatabase, createWatchHolding, type Database } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'

const { url } = await createTestDatabase()
const database: Database = createDatabase({ url, poolSize: 4 })
afterAll(() => database.close())
await database.sql`CREATE TABLE notes (id integer PRIMARY KEY, text text)`
await database.sql`INSERT INTO notes VALUES (1, ''), (2, '')`

/** Of which a transaction nobody waits for is free for two seconds. */
const LIMIT_SECONDS = 3
const watchHolding = createWatchHolding(LIMIT_SECONDS)

const waiters = async (): Promise<number> =>
  (await database.sql`SELECT DISTINCT pid FROM pg_locks WHERE NOT granted`).length

/** Milliseconds for which somebody may hold a row of the table, as another transaction wants it or not. */
const heldFor = (name: string, { id, isWanted }: { id: number; isWanted: boolean }): Promise<number> =>
  database.transaction(async (tx) => {
    await tx`UPDATE notes SET text = ${name} WHERE id = ${id}`
    if (isWanted) {
      database.sql`UPDATE notes SET text = 'wanted' WHERE id = ${id}`.catch(() => undefined)
      await expect.poll(waiters, { timeout: 10_000 }).toBe(1)
    }
    const { limited, end } = watchHolding(tx, { name, isAdministrator: false })
    const signal = limited(new AbortController().signal)
    const begun = performance.now()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    end()
    return performance.now() - begun
  })

test('changes that another transaction waits for have no free seconds', async () => {
  const [alone, wanted] = await Promise.all([
    heldFor('ann', { id: 1, isWanted: false }),
    heldFor('bob', { id: 2, isWanted: true }),
  ])
  expect(alone).toBeGreaterThan(2_500)
  expect(wanted).toBeLessThan(alone - 1_000)
})
