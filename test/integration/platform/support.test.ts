import { Connection } from '@temporalio/client'
import postgres from 'postgres'
import { afterAll, expect, inject, test } from 'vitest'
import { ensureSearchAttributes } from '../../../engine/index.js'
import { createTestDatabase } from '../../support/index.js'

/** `INDEXED_VALUE_TYPE_KEYWORD` and `…_INT` of Temporal's API. */
const KEYWORD = 2
const INT = 3

const database = await createTestDatabase()
const sql = postgres(database.url, { max: 1 })
afterAll(() => sql.end())

test('a test file has a database of its own, in UTF-8 with one order of texts everywhere', async () => {
  const [row] = await sql`
    SELECT current_database() AS name, pg_encoding_to_char(encoding) AS encoding, datlocale AS locale
    FROM pg_database WHERE datname = current_database()`
  expect(row).toEqual({ name: database.name, encoding: 'UTF8', locale: 'C.UTF-8' })
})

test('the database server asks for the password', async () => {
  const url = new URL(database.url)
  url.password = 'wrong'
  const stranger = postgres(url.href, { max: 1 })
  await expect(stranger`SELECT 1`).rejects.toMatchObject({ code: '28P01' })
  await stranger.end()
})

test('Temporal knows the attributes that runs are searched by', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') })
  await ensureSearchAttributes(connection, 'default')
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' })
  await connection.close()
  for (const name of ['ChainId', 'Principal', 'DocumentId', 'EventName', 'RequestId'])
    expect(customAttributes[name]).toBe(KEYWORD)
  expect(customAttributes.FailedItems).toBe(INT)
})
