import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  buildDirectories,
  type Directory,
  type DirectoryEntry,
  type DirectoryLoader,
  type DirectoryStore,
  directoriesPoint,
  type EntryQuery,
} from '../../core/content/directories/index.js'
import { buildContentModel, contentModelPoints } from '../../core/model/content-model/index.js'
import { mergeContributions } from '../../core/platform/contributions/index.js'

const YAML = `
schemas:
  entry:
    fields: { id: string, label: string, rank: long, isOld: boolean, parents: 'string[]', ordering: long }
lifecycles:
  default: { initial: project, states: { project: [] } }
types:
  Document: { lifecycle: default }
directories:
  plain: { schema: entry }
  filtered: { schema: entry, filters: { isOld: false } }
  numbered: { schema: entry, autoincrementIdField: true }
`

const contributions = mergeContributions(
  [{ file: 'directories.yaml', text: YAML }],
  [...contentModelPoints, directoriesPoint],
)
const registry = buildDirectories(contributions, buildContentModel(contributions))

/** A directory of a test's own, defined like one of these. */
const directoryLike = (kind: string): Directory => ({ ...registry.get(kind)!, name: `d-${randomUUID()}` })

const entry = (id: string, properties: DirectoryEntry['properties'] = {}): DirectoryEntry => ({
  id,
  properties,
})

/** What every store of directories must do, and what brings data files into them. */
export const describeDirectoryStore = (
  name: string,
  { store, loader }: { store: DirectoryStore; loader: DirectoryLoader },
): void => {
  const filled = async (kind: string, entries: readonly DirectoryEntry[]): Promise<Directory> => {
    const directory = directoryLike(kind)
    await store.insert(directory, entries)
    return directory
  }
  const find = async (directory: Directory, query: EntryQuery) => {
    const { entries, total } = await store.find(directory, query)
    return [entries.map(({ id }) => id).join(' '), total]
  }

  describe(`${name}: directories`, () => {
    test('keep entries by their ids, each directory its own', async () => {
      const a = entry('a', { label: 'É', rank: 3, isOld: true, parents: ['x', 'y'] })
      const directory = await filled('plain', [a, entry('b')])
      expect(await store.get(directory, 'a')).toEqual(a)
      expect(await store.getMany(directory, ['b', 'none', 'a'])).toEqual([entry('b'), a])
      expect(await store.get(directoryLike('plain'), 'a')).toBeUndefined()
      expect(await store.insert(directory, [entry('a'), entry('c')])).toEqual(['c'])
      expect(await store.get(directory, 'a')).toEqual(a)
    })

    test('are listed by their ordering, then by the bytes of their ids', async () => {
      const directory = await filled('plain', [
        entry('b'),
        entry('B'),
        entry('z', { ordering: -1 }),
        entry('a', { ordering: 9 }),
      ])
      expect(await find(directory, {})).toEqual(['z B b a', 4])
    })

    test('are sorted by fields, and given page by page with all that there are', async () => {
      const directory = await filled('plain', [
        entry('a', { rank: 10, label: 'x' }),
        entry('b', { rank: 9, label: 'Y' }),
        entry('c', { label: 'y' }),
        entry('d', { rank: 9, label: 'z' }),
      ])
      const by = (field: string, isDescending = false) => ({ orderBy: [{ field, isDescending }] })
      expect(await find(directory, by('rank'))).toEqual(['b d a c', 4])
      expect(await find(directory, by('rank', true))).toEqual(['a b d c', 4])
      expect(await find(directory, by('label', true))).toEqual(['d b c a', 4])
      expect(await find(directory, { ...by('rank'), limit: 2, offset: 1 })).toEqual(['d a', 4])
      expect(await find(directory, { limit: 2, offset: 9 })).toEqual(['', 4])
    })

    test.each<[EntryQuery, string]>([
      [{ filter: { label: 'ab' } }, 'a'],
      [{ filter: { rank: 1 } }, 'a b'],
      [{ filter: { rank: 1, label: 'Abc' } }, 'b'],
      [{ filter: { parents: 'x' } }, 'a b'],
      [{ filter: { parents: ['x', 'y'] } }, 'b'],
      [{ filter: { label: null } }, 'c'],
      [{ filter: { parents: null } }, 'c d'],
      [{ filter: { id: 'c' } }, 'c'],
      [{ filter: { label: 'AB' }, fulltext: ['label'] }, 'a b d'],
      [{ filter: { label: '%' }, fulltext: ['label'] }, 'd'],
      [{ filter: { label: '' }, fulltext: ['label'] }, 'a b d'],
    ])('find %j', async (query, expected) => {
      const directory = await filled('plain', [
        entry('a', { label: 'ab', rank: 1, parents: ['x'] }),
        entry('b', { label: 'Abc', rank: 1, parents: ['x', 'y'] }),
        entry('c', { rank: 2 }),
        entry('d', { label: '%ab', parents: [] }),
      ])
      expect((await find(directory, query))[0]).toBe(expected)
    })

    test('find every word of a text, anywhere', async () => {
      const directory = await filled('plain', [
        entry('a', { label: 'United States of America' }),
        entry('b', { label: 'American Samoa' }),
        entry('c', { label: 'United Kingdom' }),
      ])
      const found = async (label: string) => find(directory, { filter: { label }, fulltext: ['label'] })
      expect(await found('america united')).toEqual(['a', 1])
      expect(await found('merica')).toEqual(['a b', 2])
    })

    test('have no entry that their filters leave out', async () => {
      const directory = directoryLike('filtered')
      await store.insert(directory, [entry('a', { isOld: false }), entry('b', { isOld: true })])
      expect(await find(directory, {})).toEqual(['a', 1])
      expect(await store.get(directory, 'b')).toBeUndefined()
      expect(await store.update(directory, 'b', { label: 'x' })).toBeUndefined()
      expect(await store.remove(directory, 'b')).toBe(false)
    })

    test('change and lose entries', async () => {
      const directory = await filled('plain', [entry('a', { label: 'x', rank: 1 }), entry('b')])
      expect(await store.update(directory, 'a', { label: null, ordering: 5 })).toEqual(
        entry('a', { rank: 1, ordering: 5 }),
      )
      expect(await find(directory, {})).toEqual(['b a', 2])
      expect(await store.update(directory, 'none', { label: 'x' })).toBeUndefined()
      expect([await store.remove(directory, 'a'), await store.remove(directory, 'a')]).toEqual([true, false])
      expect(await find(directory, {})).toEqual(['b', 1])
    })

    test('say which entries hold values in a field, alone or among others', async () => {
      const directory = await filled('plain', [
        entry('a', { label: 'x' }),
        entry('b', { parents: ['x', 'y'] }),
        entry('c', { parents: ['y'], ordering: -1 }),
      ])
      expect(await store.referencing(directory, 'parents', ['y', 'none'])).toEqual([
        { value: 'y', id: 'c' },
        { value: 'y', id: 'b' },
      ])
      expect(await store.referencing(directory, 'label', ['x'])).toEqual([{ value: 'x', id: 'a' }])
    })

    test('number entries, behind those that are there, and each once', async () => {
      const directory = await filled('numbered', [entry('7'), entry('not a number')])
      expect(await store.nextId(directory)).toBe('8')
      const ids = await Promise.all(Array.from({ length: 10 }, () => store.nextId(directory)))
      expect(new Set(ids)).toEqual(new Set(Array.from({ length: 10 }, (_, n) => String(n + 9))))
    })

    test('change together or not at all', async () => {
      const directory = await filled('plain', [entry('a')])
      const failing = store.atomically(async (inside) => {
        await inside.remove(directory, 'a')
        await inside.insert(directory, [entry('b')])
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await find(directory, {})).toEqual(['a', 1])
    })

    test('take data files, and remember which', async () => {
      const directory = await filled('plain', [entry('a', { label: 'kept' })])
      const file = [entry('a', { label: 'new' }), entry('b')]
      const load = (onDuplicate: 'skip' | 'update', isReplacing = false) =>
        loader.load(directory, file, { onDuplicate, isReplacing })
      await load('skip')
      expect(await store.get(directory, 'a')).toEqual(entry('a', { label: 'kept' }))
      await load('update')
      expect(await store.get(directory, 'a')).toEqual(file[0])
      await store.insert(directory, [entry('c')])
      await load('skip', true)
      expect(await find(directory, {})).toEqual(['a b', 2])
      await loader.remember(new Map([[directory.name, 'digest']]))
      expect((await loader.loaded()).get(directory.name)).toBe('digest')
    })
  })
}
