import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { SubtreeCopy } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { ContentBackend } from './backend.js'
import { createTree, eventOf, recordOf } from './tree.js'

/** What every store of subtrees must do. */
export const describeSubtreeStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { documents, subtrees, acls } = backend.reading(SYSTEM)

  /** `top/inner/file`, with another file in `top`. */
  const three = async () => {
    const top = await tree.folder()
    const inner = await tree.create(top, { name: 'inner', type: 'Folder' })
    const file = await tree.create(inner, {
      name: 'file',
      properties: { 'dc:created': '2020-01-01T00:00:00.000Z' },
    })
    const beside = await tree.create(top, { name: 'beside' })
    return { top, inner, file, beside }
  }
  const locked = (root: DocumentRecord) => tree.within((stores) => stores.subtrees.lock(root))
  const copyOf = (to: DocumentRecord, wanted: Partial<SubtreeCopy> = {}): SubtreeCopy => ({
    parent: to,
    name: 'copy',
    path: `${to.path}/copy`,
    position: null,
    readable: null,
    properties: { 'dc:created': '2021-01-01T00:00:00.000Z' },
    initialStates: { Folder: 'project', File: 'project' },
    withChildren: true,
    ...wanted,
  })

  describe(`${name}: subtrees`, () => {
    test('say what decides about changes of them', async () => {
      const { top, inner, file } = await three()
      const bytes = Buffer.byteLength(file.path!)
      expect(await locked(top)).toEqual({ longestPath: bytes, hasTargets: false })
      await tree.proxy(file, top)
      expect(await locked(inner)).toEqual({ longestPath: bytes, hasTargets: true })
    })

    test('count what is below them, as far as that is asked for', async () => {
      const { top, inner, file } = await three()
      const counts = [
        [top, 9],
        [top, 2],
        [inner, 9],
        [file, 9],
      ] as const
      expect(await Promise.all(counts.map(([root, most]) => subtrees.countBelow(root, most)))).toEqual([
        3, 2, 1, 0,
      ])
    })

    test('are removed page by page, the last by path first', async () => {
      const { top, inner, file, beside } = await three()
      const version = await tree.version(file, 1, 0)
      await tree.within(async (stores) => {
        const page = await stores.subtrees.lastBelow(top, 2)
        expect(await stores.subtrees.lock(page)).toEqual({
          longestPath: Buffer.byteLength(file.path!),
          hasTargets: false,
        })
        expect((await stores.subtrees.kinds(page)).map(({ type }) => type).toSorted()).toEqual([
          'File',
          'Folder',
        ])
        await stores.subtrees.remove(page, [])
      })
      const left = async (...all: DocumentRecord[]) =>
        (await Promise.all(all.map(({ id }) => documents.get(id)))).map((found) => found !== undefined)
      expect(await left(top, beside, inner, file, version)).toEqual([true, true, false, false, false])
      await tree.within(async (stores) => stores.subtrees.remove(await stores.subtrees.lastBelow(top, 9), []))
      expect(await left(top, beside)).toEqual([true, false])
    })

    test('have each combination of what decides about rights once', async () => {
      const { top, inner } = await three()
      await tree.create(inner, { lockOwner: 'ann', lockedAt: new Date() })
      const kinds = await subtrees.kinds(top)
      expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length)
      expect(kinds.map(({ type, lockOwner }) => `${type} ${lockOwner}`).toSorted()).toEqual([
        'File ann',
        'File null',
        'Folder null',
      ])
    })

    test('move with their paths, and come under the rights of their new place', async () => {
      const { top, inner, file } = await three()
      const target = await tree.folder()
      const entries = [{ username: 'ann', permission: 'Read', granted: true }]
      const open = await tree.within((stores) =>
        stores.acls.setLocal(target, [{ name: 'local', aces: entries }]),
      )
      const to = { parent: open, name: 'moved', path: `${open.path}/moved`, position: 2 }
      const move = (root: DocumentRecord, place: typeof to) =>
        tree.within(async (stores) => {
          await stores.subtrees.lock(root)
          return stores.subtrees.move(root, place)
        })
      expect(await move(inner, { ...to, path: top.path! })).toBe(false)
      expect(await move(inner, to)).toBe(true)
      expect(await tree.read(inner)).toMatchObject({
        path: to.path,
        name: 'moved',
        parentId: open.id,
        position: 2,
      })
      const below = await tree.read(file)
      expect(below?.path).toBe(`${to.path}/file`)
      expect(await acls.effective(below!.aclId)).toMatchObject(entries)
      expect(await documents.get(file.path!)).toBeUndefined()
    })

    test('are marked while they move, but for what was trashed by itself', async () => {
      const { top, inner, file } = await three()
      const byItself = await tree.create(inner, { name: 'old._1600000000000_.trashed', isTrashed: true })
      const move = (name: string, isTrashed: boolean) =>
        tree.within(async (stores) => {
          const root = await stores.documents.get(inner.id)
          await stores.subtrees.lock(root!)
          const place = { parent: top, name, path: `${top.path}/${name}`, position: null }
          return stores.subtrees.move(root!, { ...place, isTrashed })
        })
      const marks = () =>
        Promise.all([inner, file, byItself].map(async (one) => (await tree.read(one))?.isTrashed))
      await move('away', true)
      expect(await marks()).toEqual([true, true, true])
      await move('back', false)
      expect(await marks()).toEqual([false, false, true])
      expect((await tree.read(byItself))?.path).toBe(`${top.path}/back/${byItself.name}`)
    })

    test('are copied: what is new has no version, no lock and its first state', async () => {
      const { top, inner, file } = await three()
      await tree.within((stores) =>
        stores.documents.update(
          {
            id: file.id,
            columns: {
              lockOwner: 'ann',
              majorVersion: 2,
              isCheckedIn: true,
              lifecycleState: 'other',
              facets: ['A'],
            },
            isUserChange: false,
          },
          [],
        ),
      )
      const copied = await tree.within((stores) => stores.subtrees.copy(inner, copyOf(top)))
      expect(copied).toMatchObject({ path: `${top.path}/copy`, parentId: top.id, name: 'copy' })
      const below = await documents.get(`${copied!.path}/file`)
      expect(below).toMatchObject({
        parentId: copied!.id,
        lockOwner: null,
        majorVersion: 0,
        isCheckedIn: false,
        lifecycleState: 'project',
        facets: ['A'],
        aclId: top.aclId,
        properties: { 'dc:created': '2021-01-01T00:00:00.000Z' },
      })
      expect(below!.id).not.toBe(file.id)
      expect(await tree.within((stores) => stores.subtrees.copy(inner, copyOf(top)))).toBeUndefined()
    })

    test('are copied as far as they may be read, and alone where that is asked for', async () => {
      const { top, inner, file, beside } = await three()
      const { kind } = (await subtrees.kinds(file))[0]!
      const to = await tree.folder()
      const readable = { kinds: [kind], except: [beside.id] }
      const partly = copyOf(to, { name: 'part', path: `${to.path}/part`, readable })
      const alone = copyOf(to, { name: 'alone', path: `${to.path}/alone`, withChildren: false })
      await tree.within((stores) => stores.subtrees.copy(top, partly))
      await tree.within((stores) => stores.subtrees.copy(inner, alone))
      // Folders are of another kind, and what is below them goes with them.
      const found = await Promise.all(
        ['part', 'part/inner', 'part/beside', 'alone', 'alone/file'].map((path) =>
          documents.get(`${to.path}/${path}`),
        ),
      )
      expect(found.map((one) => one !== undefined)).toEqual([true, false, false, true, false])
    })

    test('are marked as trashed, and what was trashed by itself stays so', async () => {
      const { top, inner, file, beside } = await three()
      const mark = (root: DocumentRecord, isTrashed: boolean) =>
        tree.within((stores) => stores.subtrees.markTrashed(root, isTrashed))
      const byItself = await tree.create(top, { name: 'old._1600000000000_.trashed', isTrashed: true })
      await mark(top, true)
      for (const one of [top, inner, file, beside]) expect((await tree.read(one))?.isTrashed).toBe(true)
      await mark(top, false)
      for (const one of [top, inner, file, beside]) expect((await tree.read(one))?.isTrashed).toBe(false)
      expect((await tree.read(byItself))?.isTrashed).toBe(true)
    })

    test('are removed with their versions, and with events', async () => {
      const { top, inner, file, beside } = await three()
      const version = await tree.version(file, 1, 0)
      await tree.within(async (stores) => {
        await stores.subtrees.lock(inner)
        await stores.subtrees.remove(inner, [eventOf('documentRemoved', inner)])
      })
      for (const gone of [inner, file, version]) expect(await tree.read(gone)).toBeUndefined()
      for (const kept of [top, beside]) expect(await tree.read(kept)).toEqual(kept)
      expect((await backend.events()).at(-1)).toMatchObject({
        event: 'documentRemoved',
        documentId: inner.id,
      })
    })

    test('leave versions that a proxy elsewhere shows, until the last one goes', async () => {
      const { inner, file } = await three()
      const elsewhere = await tree.folder()
      const version = await tree.version(file, 1, 0)
      const proxy = await tree.proxy(version, elsewhere)
      const remove = (root: DocumentRecord) =>
        tree.within(async (stores) => {
          await stores.subtrees.lock(root)
          await stores.subtrees.remove(root, [])
        })
      await remove(inner)
      expect(await tree.read(version)).toMatchObject({ isVersion: true })
      await remove(proxy)
      expect(await tree.read(version)).toBeUndefined()
    })

    test('count the proxies that show a live document of them from outside', async () => {
      const { top, inner, file } = await three()
      await tree.proxy(file, inner)
      expect(await subtrees.countProxiesFromOutside(inner)).toBe(0)
      await tree.proxy(file, top)
      expect(await subtrees.countProxiesFromOutside(inner)).toBe(1)
    })

    test('follow a transition as far as states and rights allow, with events', async () => {
      const { top, inner, file, beside } = await three()
      await tree.within((stores) =>
        stores.documents.update({ id: file.id, columns: { isCheckedIn: true }, isUserChange: false }, []),
      )
      await tree.within((stores) =>
        stores.documents.update(
          { id: beside.id, columns: { lifecycleState: 'other' }, isUserChange: false },
          [],
        ),
      )
      const kinds = (await subtrees.kinds(top)).map(({ kind }) => kind)
      const locked = await tree.create(inner, { lockOwner: 'ann', lockedAt: new Date() })
      const table = ['File', 'Folder'].map((type) => ({ type, from: 'project', to: 'approved' }))
      const by = { transition: 'approve', table, granted: { kinds, except: [] }, comment: 'why' }
      const followed = await tree.within((stores) => stores.subtrees.followTransition(top, by))
      expect(followed).toEqual([
        { id: inner.id, from: 'project', wasCheckedIn: false },
        { id: file.id, from: 'project', wasCheckedIn: true },
      ])
      expect(await tree.read(file)).toMatchObject({ lifecycleState: 'approved', isCheckedIn: false })
      for (const left of [top, locked]) expect((await tree.read(left))?.lifecycleState).toBe('project')
      const emitted = (await backend.events()).filter(({ documentId }) => documentId === file.id)
      expect(emitted.map(({ event }) => event)).toEqual(['documentCheckedOut', 'lifecycle_transition_event'])
      expect(emitted.at(-1)?.payload).toMatchObject({ from: 'project', to: 'approved', comment: 'why' })
    })

    test('take no new child while they are locked', async () => {
      const { top } = await three()
      const late = recordOf(top)
      const removal = tree.within(async (stores) => {
        await stores.subtrees.lock(top)
        // Waits for the lock, and finds the parent gone.
        const inserted = tree.within((others) => others.documents.insert(late, [], top))
        await new Promise((resolve) => setTimeout(resolve, 100))
        await stores.subtrees.remove(top, [])
        return { inserted }
      })
      const { inserted } = await removal
      expect(await inserted).toBe('parentChanged')
      expect(await tree.read(late)).toBeUndefined()
    })
  })
}
