import { expect, test } from 'vitest'
import type { Sql } from '../connection/index.js'
import { createFeedDocuments } from './documents.js'

const TEXT = 'x'.repeat(2 * 1024 * 1024)

/** A database of documents of one text, as many bytes each as they are stored. */
const databaseOf = (text: string, bytes: number) => {
  const statements: string[][] = []
  const sql = {
    unsafe: async (statement: string, [ids]: [string[]]) => {
      if (statement.includes('pg_column_size')) return ids.map((id) => ({ id, bytes }))
      statements.push(ids)
      return ids.map((id) => ({
        id,
        properties: { 'note:note': text },
        scope: 1,
        words: null,
        ancestors: null,
      }))
    },
  } as unknown as Sql
  return { sql, statements }
}

const idsUpTo = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i))

test('documents are read until they are large', async () => {
  const { sql, statements } = databaseOf(TEXT, 210_000)
  const ids = idsUpTo(60)
  const { documents, rest } = await createFeedDocuments(sql).read(ids)
  expect(statements).toHaveLength(1)
  expect(documents.map(({ record }) => record.id)).toEqual(ids.slice(0, 20))
  expect(rest).toEqual(ids.slice(20))
})

test('small documents are read hundreds at once', async () => {
  const { sql, statements } = databaseOf('short', 1_000)
  const { documents, rest } = await createFeedDocuments(sql).read(idsUpTo(500))
  expect(statements.map(({ length }) => length)).toEqual([250, 250])
  expect([documents.length, rest]).toEqual([500, []])
})
