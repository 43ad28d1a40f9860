import { expect, test } from 'vitest'
import type { Sql } from '../connection/index.js'
import { createFeedDocuments } from './documents.js'

const TEXT = 'x'.repeat(2 * 1024 * 1024)

test('documents are read until they are large', async () => {
  const statements: string[][] = []
  const sql = {
    unsafe: async (_: string, [ids]: [string[]]) => {
      statements.push(ids)
      return ids.map((id) => ({
        id,
        properties: { 'note:note': TEXT },
        scope: 1,
        words: null,
        ancestors: null,
      }))
    },
  } as unknown as Sql
  const ids = Array.from({ length: 60 }, (_, i) => String(i))
  const { documents, rest } = await createFeedDocuments(sql).read(ids)
  expect(statements).toHaveLength(1)
  expect(documents.map(({ record }) => record.id)).toEqual(ids.slice(0, 20))
  expect(rest).toEqual(ids.slice(20))
})
