import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { ContentBackend } from './backend.js'
import { createTree, eventOf, recordOf, type Wanted } from './tree.js'

/** What every store of documents must do. */
export const describeDocumentStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { documents } = backend.reading(SYSTEM)
  const eventsOf = async (id: string) =>
    (await backend.events()).filter(({ documentId }) => documentId === id).map(({ event }) => event)

  describe(`${name}: documents`, () => {
    test('are found by id and by path as they were stored', async () => {
      const folder = await tree.folder()
      const wanted: Wanted = {
        name: 'Éß 😀 %_',
        facets: ['Extra'],
        lifecycleState: null,
        position: 3,
        lockOwner: 'ann',
        lockedAt: new Date('2020-02-29T12:34:56.789Z'),
        properties: {
          'dc:title': 'a "title" \\ with\nlines',
          's:size': 9_007_199_254_740_991,
          's:people': [{ name: 'x', tags: ['a', 'b'] }, {}],
          's:address': { city: '' },
        },
      }
      const record = recordOf(folder, wanted)
      expect(await tree.within((stores) => stores.documents.insert(record, [], folder))).toBe('inserted')
      const found = await documents.get(record.id)
      expect(found).toEqual({ ...record, aclId: folder.aclId })
      expect(await documents.get(record.path!)).toEqual(found)
    })

    test.each([randomUUID(), 'no-uuid', '/nowhere', ''])('nothing is at %j', async (ref) => {
      expect(await documents.get(ref)).toBeUndefined()
      expect(await documents.getMany([ref])).toEqual([])
      expect(await documents.getByPaths([ref])).toEqual([])
      expect(await documents.accessOf([ref])).toEqual([])
    })

    test('are read together, in the order of the ids', async () => {
      const folder = await tree.folder()
      const [a, b] = [await tree.create(folder), await tree.create(folder)]
      expect(await documents.getMany([b.id, randomUUID(), a.id])).toEqual([b, a])
      const paths = (await documents.getByPaths([b.path!, a.path!, '/nowhere'])).map(({ path }) => path)
      expect(paths.toSorted()).toEqual([a.path!, b.path!].toSorted())
    })

    test('are read together without large ones, where these are not wanted', async () => {
      const folder = await tree.folder()
      const small = await tree.create(folder)
      const large = await tree.create(folder, { properties: { 'dc:source': 'x'.repeat(1_100_000) } })
      expect(await documents.getMany([large.id, small.id], { areSmall: true })).toEqual([small])
      expect(await documents.getMany([large.id, small.id])).toEqual([large, small])
    })

    test('are read in brief: without other properties than those named, and without long ones', async () => {
      const folder = await tree.folder()
      const properties = { 'dc:title': 'Short', 'dc:source': 'x'.repeat(20_000), 'dc:rights': 'mine' }
      const document = await tree.create(folder, { properties })
      const read = await documents.briefly(
        [randomUUID(), document.id],
        ['dc:title', 'dc:source', 'dc:format'],
      )
      expect(read).toEqual([{ ...document, properties: { 'dc:title': 'Short' } }])
    })

    test('are asked for what decides about rights on them alone', async () => {
      const folder = await tree.folder()
      const { id, aclId, type, facets, lifecycleState, lockOwner, isVersion } = await tree.create(folder)
      expect(await documents.accessOf([id, randomUUID()])).toEqual([
        { id, aclId, type, facets, lifecycleState, lockOwner, isVersion },
      ])
    })

    test('are stored with their events, or not at all', async () => {
      const folder = await tree.folder()
      const first = recordOf(folder, { name: 'same' })
      const second = recordOf(folder, { name: 'same' })
      const events = (record: typeof first) => [eventOf('documentCreated', record), eventOf('second', record)]
      await tree.within((stores) => stores.documents.insert(first, events(first), folder))
      expect(await eventsOf(first.id)).toEqual(['documentCreated', 'second'])
      expect(await tree.within((stores) => stores.documents.insert(second, events(second), folder))).toBe(
        'nameTaken',
      )
      expect(await documents.get(second.id)).toBeUndefined()
      expect(await eventsOf(second.id)).toEqual([])
    })

    test('are not stored below a parent that has changed', async () => {
      const folder = await tree.folder()
      const insert = (parent: Parameters<typeof documents.insert>[2]) =>
        tree.within((stores) => {
          const record = recordOf(folder)
          return stores.documents.insert(record, [eventOf('documentCreated', record)], parent)
        })
      await tree.within((stores) =>
        stores.documents.update({ id: folder.id, properties: { 'dc:title': 'x' }, isUserChange: true }, []),
      )
      expect(await insert({ ...folder, path: '/elsewhere' })).toBe('parentChanged')
      expect(await insert({ ...folder, aclId: folder.aclId + 1_000_000 })).toBe('parentChanged')
      expect(await insert({ ...folder, mustBeUnchanged: true })).toBe('parentChanged')
      expect(await insert(folder)).toBe('inserted')
    })

    test('are stored together, but for those whose paths are taken', async () => {
      const folder = await tree.folder()
      await tree.create(folder, { name: 'taken' })
      const inner = recordOf(folder, { type: 'Folder' })
      const below = recordOf(inner)
      const taken = recordOf(folder, { name: 'taken' })
      const rows = [inner, below, taken].map((record) => ({ record, event: eventOf('imported', record) }))
      const ids = await tree.within(async ({ documents: store }) => [
        await store.insertMany(rows.slice(0, 1), folder),
        await store.insertMany(rows.slice(1), folder),
      ])
      expect(ids).toEqual([new Set([inner.id]), new Set([below.id])])
      expect(await documents.get(below.path!)).toMatchObject({ parentId: inner.id, aclId: folder.aclId })
      expect(await eventsOf(taken.id)).toEqual([])
      const elsewhere = { ...folder, path: '/elsewhere' }
      const more = recordOf(folder)
      expect(
        await tree.within((stores) =>
          stores.documents.insertMany([{ record: more, event: eventOf('imported', more) }], elsewhere),
        ),
      ).toBe('parentChanged')
      expect(await documents.get(more.id)).toBeUndefined()
    })

    test('change by property and by column, and count their writes', async () => {
      const folder = await tree.folder()
      const before = await tree.create(folder, {
        properties: { 'dc:title': 'old', 'dc:description': 'kept' },
      })
      const change = {
        id: before.id,
        properties: { 'dc:title': null, 's:numbers': [1, 2] },
        isUserChange: true,
      }
      const changed = await tree.within((stores) =>
        stores.documents.update(change, [eventOf('documentModified', before)]),
      )
      expect(changed).toEqual({
        ...before,
        properties: { 'dc:description': 'kept', 's:numbers': [1, 2] },
        systemToken: before.systemToken + 1,
        userToken: before.userToken + 1,
      })
      const lockedAt = new Date('2021-01-01T00:00:00.000Z')
      const columns = {
        facets: ['A', 'B'],
        lifecycleState: 'other',
        lockOwner: 'ann',
        lockedAt,
        isTrashed: true,
      }
      const locked = await tree.within((stores) =>
        stores.documents.update({ id: before.id, columns, isUserChange: false }, []),
      )
      expect(locked).toEqual({ ...changed, ...columns, systemToken: before.systemToken + 2 })
      expect(await tree.read(before)).toEqual(locked)
      expect(await eventsOf(before.id)).toEqual(['documentModified'])
    })

    test('do not change when they are others than expected, nor are events written then', async () => {
      const document = await tree.create(await tree.folder())
      const update = (id: string, expectedSystemToken: number) =>
        tree.within((stores) =>
          stores.documents.update(
            { id, properties: { 'dc:title': 'new' }, isUserChange: true, expectedSystemToken },
            [eventOf('documentModified', document)],
          ),
        )
      expect(await update(document.id, document.systemToken + 1)).toBeUndefined()
      expect(await update(randomUUID(), 0)).toBeUndefined()
      expect(await eventsOf(document.id)).toEqual([])
      expect(await update(document.id, document.systemToken)).toMatchObject({
        properties: { 'dc:title': 'new' },
      })
    })

    test('are left alone by a transaction that fails', async () => {
      const document = await tree.create(await tree.folder())
      const failing = tree.within(async (stores) => {
        const events = [eventOf('documentModified', document)]
        await stores.documents.update(
          { id: document.id, properties: { 'dc:title': 'x' }, isUserChange: true },
          events,
        )
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await tree.read(document)).toEqual(document)
      expect(await eventsOf(document.id)).toEqual([])
    })

    test('that are held wait for one writer after the other', async () => {
      const document = await tree.create(await tree.folder(), { properties: { 's:size': 0 } })
      const addOne = () =>
        tree.within(async (stores) => {
          const held = await stores.documents.get(document.id, 'write')
          const size = Number(held?.properties['s:size']) + 1
          await stores.documents.update(
            { id: document.id, properties: { 's:size': size }, isUserChange: true },
            [],
          )
        })
      await Promise.all(Array.from({ length: 8 }, addOne))
      expect((await tree.read(document))?.properties['s:size']).toBe(8)
    })
  })
}
