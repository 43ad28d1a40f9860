import { expect, test } from 'vitest'
import type { IndexedDocument, IndexSides, IndexWrite } from '../../content/stores/index.js'
import { bring } from './bring.js'

test('what does not fit into memory at once is read and written by and by', async () => {
  const written: string[][] = []
  const feed = {
    version: async () => 1,
    read: async (ids: readonly string[]) => ({
      documents: ids.slice(0, 2).map((id) => ({ record: { id } }) as IndexedDocument),
      rest: ids.slice(2),
    }),
    park: async () => undefined,
    unpark: async () => undefined,
  }
  const write = async (_: string, writes: readonly IndexWrite[]) => {
    written.push(writes.map(({ id }) => id))
    return []
  }
  const sides = { feed, engine: { write } } as unknown as IndexSides
  expect(await bring(sides, 'index', ['a', 'b', 'c', 'd', 'e'])).toBe(5)
  expect(written).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})
