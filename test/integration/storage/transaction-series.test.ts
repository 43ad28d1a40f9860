import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { fail } from '../../../core/platform/errors/index.js'
import { createDatabase, type Database, type Sql } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'

const { url } = await createTestDatabase()
const database: Database = createDatabase({ url, poolSize: 2 })
const other: Database = createDatabase({ url, poolSize: 1 })

await other.sql`CREATE TABLE lines (text text UNIQUE)`
beforeEach(async () => {
  await other.sql`DELETE FROM lines`
})
afterAll(async () => {
  await database.close()
  await other.close()
})

const insert = (tx: Sql, text: string) => tx`INSERT INTO lines VALUES (${text})`

const lines = async (): Promise<string[]> =>
  (await other.sql<{ text: string }[]>`SELECT text FROM lines ORDER BY text`).map(({ text }) => text)

const identityOf = async (tx: Sql): Promise<{ pid: number; transaction: string }> => {
  const [row] = await tx<{ pid: number; transaction: string }[]>`
    SELECT pg_backend_pid() AS pid, pg_current_xact_id()::text AS transaction`
  if (!row) throw new Error('Postgres names no transaction')
  return row
}

test('each is committed when its work is done, on the same connection', async () => {
  const seen = await database.series(async (transaction) => {
    const first = await transaction(async (tx) => {
      await insert(tx, 'a')
      expect(await lines()).toEqual([])
      return identityOf(tx)
    })
    const second = await transaction(async (tx) => {
      await insert(tx, 'b')
      expect(await lines()).toEqual(['a'])
      return identityOf(tx)
    })
    await expect.poll(lines).toEqual(['a', 'b'])
    return { first, second }
  })
  expect(seen.second.pid).toBe(seen.first.pid)
  expect(seen.second.transaction).not.toBe(seen.first.transaction)
})

test('one that fails is rolled back alone, and the next begin again', async () => {
  await database.series(async (transaction) => {
    await transaction((tx) => insert(tx, 'a'))
    const twice = transaction(async (tx) => {
      await insert(tx, 'b')
      await insert(tx, 'a')
    })
    await expect(twice).rejects.toMatchObject({ code: '23505' })
    const thrown = transaction(async (tx) => {
      await insert(tx, 'c')
      throw new Error('no')
    })
    await expect(thrown).rejects.toThrow('no')
    await transaction((tx) => insert(tx, 'd'))
  })
  expect(await lines()).toEqual(['a', 'd'])
})

const passing = async (tx: Sql): Promise<void> => {
  await insert(tx, 'a')
  await tx`SELECT 1 / 0`.catch(() => undefined)
}

test('work that ignores a failed statement is not taken for committed: the end says so', async () => {
  await expect(database.series((transaction) => transaction(passing))).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await lines()).toEqual([])
})

test('nothing is committed behind one that was not, and what follows begins again', async () => {
  let begun = 0
  await database.series(async (transaction) => {
    await transaction(passing)
    const next = transaction(async (tx) => {
      begun++
      await insert(tx, 'b')
    })
    await expect(next).rejects.toMatchObject({ code: 'unavailable' })
    await transaction(passing)
    const failing = transaction(async () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' })
    await transaction((tx) => insert(tx, 'c'))
  })
  expect(begun).toBe(1)
  expect(await lines()).toEqual(['c'])
})

test('the next one begins while the commit before it is still to be answered', async () => {
  await other.sql`
    CREATE FUNCTION wait_for_key() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END'`
  await other.sql`
    CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON lines DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.text = 'a') EXECUTE FUNCTION wait_for_key()`
  await other.sql`SELECT pg_advisory_lock(1)`
  await database.series(async (transaction) => {
    await transaction((tx) => insert(tx, 'a'))
    const second = transaction((tx) => insert(tx, 'b'))
    expect(await lines()).toEqual([])
    await other.sql`SELECT pg_advisory_unlock(1)`
    await second
  })
  await other.sql`DROP TRIGGER waiting ON lines`
  expect(await lines()).toEqual(['a', 'b'])
})

test('one that lost against another transaction is done again, and says when it had better hold its rows', async () => {
  const attempts: boolean[] = []
  await database.series(async (transaction) => {
    await transaction((tx) => insert(tx, 'a'))
    await transaction(async (tx, isContended) => {
      attempts.push(isContended)
      await insert(tx, 'b')
      if (attempts.length < 4) throw fail('conflict', 'lost', { retryable: true })
    })
  })
  expect(attempts).toEqual([false, false, true, true])
  expect(await lines()).toEqual(['a', 'b'])
})

test('what was committed stays when the connection is lost, and nothing reaches the one that replaces it', async () => {
  const lost = database.series(async (transaction) => {
    const { pid } = await transaction(async (tx) => {
      await insert(tx, 'a')
      return identityOf(tx)
    })
    await transaction(async (tx) => {
      await insert(tx, 'b')
      await other.sql`SELECT pg_terminate_backend(${pid})`
      await new Promise((resolve) => setTimeout(resolve, 50))
      await insert(tx, 'c')
    })
  })
  await expect(lost).rejects.toThrow()
  expect(await lines()).toEqual(['a'])
  await database.transaction((tx) => insert(tx, 'd'))
  expect(await lines()).toEqual(['a', 'd'])
})

test('a connection that is lost between two of them fails the next, and the one after it begins again', async () => {
  await database.series(async (transaction) => {
    const { pid } = await transaction(async (tx) => {
      await insert(tx, 'a')
      return identityOf(tx)
    })
    await expect.poll(lines).toEqual(['a'])
    await other.sql`SELECT pg_terminate_backend(${pid})`
    await expect(transaction((tx) => insert(tx, 'b'))).rejects.toThrow()
    await transaction((tx) => insert(tx, 'c'))
  })
  expect(await lines()).toEqual(['a', 'c'])
})

test('no transaction stays open behind it, whether its work ends or throws', async () => {
  await expect(
    database.series(async (transaction) => {
      await transaction((tx) => insert(tx, 'a'))
      throw new Error('stopped')
    }),
  ).rejects.toThrow('stopped')
  const open = await other.sql`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND pid <> pg_backend_pid()`
  expect(open).toHaveLength(0)
  expect(await lines()).toEqual(['a'])
})

describe.each<{ name: string; run: Database['transaction'] }>([
  { name: 'a transaction', run: (work) => database.transaction(work) },
  { name: 'one of a series', run: (work) => database.series((transaction) => transaction(work)) },
])('a statement that is sent with the COMMIT of $name', ({ run }) => {
  test('is part of it', async () => {
    const result = await run(async (tx, _, withCommit) => {
      await insert(tx, 'a')
      withCommit(insert(tx, 'b').execute())
      return 'done'
    })
    expect(result).toBe('done')
    expect(await lines()).toEqual(['a', 'b'])
  })

  test('undoes all of it when it fails', async () => {
    const failing = run(async (tx, _, withCommit) => {
      await insert(tx, 'a')
      withCommit(insert(tx, 'a').execute())
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await lines()).toEqual([])
    await run((tx) => insert(tx, 'c'))
    expect(await lines()).toEqual(['c'])
  })
})
