import { beforeEach, expect, test } from 'vitest'
import type { Directory, DirectoryStore } from '../types.js'
import { createDirectoryCache } from './cache.js'

const directoryOf = (seconds: number, entries: number) =>
  ({ name: 'nature', cache: { seconds, entries } }) as Directory
const nature = directoryOf(60, 3)

let time = 0
let asked: string[][] = []
let label = 'one'
const store = {
  getMany: async (_, ids) => {
    asked.push([...ids])
    return ids.filter((id) => id !== 'missing').map((id) => ({ id, properties: { label } }))
  },
  update: async (_, id) => ({ id, properties: {} }),
} as Partial<DirectoryStore> as DirectoryStore

beforeEach(() => {
  asked = []
  label = 'one'
})

const cacheAt = (start = 0) => {
  time = start
  const cache = createDirectoryCache(() => time)
  return { cache, reading: cache.reading(store), writing: cache.writing(store) }
}

test('an entry is asked for once, in the order of the ids', async () => {
  const { reading } = cacheAt()
  await reading.get(nature, 'b')
  const found = await reading.getMany(nature, ['a', 'b', 'missing'])
  expect(found.map(({ id }) => id)).toEqual(['a', 'b'])
  await reading.getMany(nature, ['b', 'a'])
  expect(asked).toEqual([['b'], ['a', 'missing']])
  await reading.get(nature, 'missing')
  expect(asked.at(-1)).toEqual(['missing'])
})

test('until its time is over', async () => {
  const { reading } = cacheAt()
  await reading.get(nature, 'a')
  time = 59_999
  await reading.get(nature, 'a')
  expect(asked).toHaveLength(1)
  time = 60_000
  await reading.get(nature, 'a')
  expect(asked).toHaveLength(2)
})

test('and no more than the directory says', async () => {
  const { reading } = cacheAt()
  await reading.getMany(nature, ['a', 'b', 'c', 'd'])
  await reading.get(nature, 'a')
  expect(asked).toEqual([['a', 'b', 'c', 'd'], ['a']])
})

test.each([
  [0, 10],
  [10, 0],
])('not at all with %i seconds and %i entries', async (seconds, entries) => {
  const { reading } = cacheAt()
  const directory = directoryOf(seconds, entries)
  await reading.get(directory, 'a')
  await reading.get(directory, 'a')
  expect(asked).toHaveLength(2)
})

test.each(['nature', undefined, ''])('an announcement of %j makes it be asked for again', async (name) => {
  const { cache, reading } = cacheAt()
  await reading.get(nature, 'a')
  label = 'two'
  cache.announced('country')
  expect((await reading.get(nature, 'a'))?.properties.label).toBe('one')
  cache.announced(name)
  expect((await reading.get(nature, 'a'))?.properties.label).toBe('two')
})

test('what was read before a change and comes after it is not remembered', async () => {
  const { cache, reading } = cacheAt()
  const slow = reading.get(nature, 'a')
  cache.announced('nature')
  await slow
  await reading.get(nature, 'a')
  expect(asked).toHaveLength(2)
})

test('a write of this process is in doubt until it must have been announced', async () => {
  const { reading, writing } = cacheAt()
  await reading.get(nature, 'a')
  await writing.update(nature, 'a', {})
  await reading.get(nature, 'a')
  await reading.get(nature, 'a')
  expect(asked).toHaveLength(3)
  time = 5_001
  await reading.get(nature, 'a')
  await reading.get(nature, 'a')
  expect(asked).toHaveLength(4)
})
