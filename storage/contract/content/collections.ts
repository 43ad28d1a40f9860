import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { ContentBackend } from './backend.js'
import { createTree } from './tree.js'

const MEMBERS = 'collection:documentIds'
const COLLECTIONS = 'collectionMember:collectionIds'

/** What every store of collections must do. */
export const describeCollectionStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { collections } = backend.reading(SYSTEM)

  /** A member and a collection that know of each other. */
  const joined = async () => {
    const folder = await tree.folder()
    const member = await tree.create(folder, { name: 'member' })
    const other = await tree.create(folder, { name: 'other' })
    const collection = await tree.create(folder, {
      name: 'collection',
      properties: { [MEMBERS]: [other.id, member.id] },
    })
    const mark = (id: string) => ({
      id,
      properties: { [COLLECTIONS]: [collection.id] },
      columns: { facets: ['CollectionMember'] },
      isUserChange: false,
    })
    await tree.within(async (stores) => {
      for (const { id } of [member, other]) await stores.documents.update(mark(id), [])
    })
    return { folder, member, other, collection }
  }
  const leave = (root: DocumentRecord) =>
    tree.within(async (stores) => {
      await stores.subtrees.lock(root)
      await stores.collections.leave(root)
    })

  describe(`${name}: collections`, () => {
    test('are found by a member', async () => {
      const { member, other, collection } = await joined()
      const held = await collections.holding([member.id, collection.id, other.id])
      expect(new Set(held)).toEqual(
        new Set([member, other].map(({ id }) => ({ collection: collection.id, member: id }))),
      )
      expect(held).toHaveLength(2)
    })

    test('lose a member that is to be removed', async () => {
      const { member, other, collection } = await joined()
      await leave((await tree.read(member))!)
      expect((await tree.read(collection))?.properties).toEqual({ [MEMBERS]: [other.id] })
    })

    test('that are to be removed take their marks off the members', async () => {
      const { member, collection } = await joined()
      await leave(collection)
      expect(await tree.read(member)).toMatchObject({ facets: [], properties: {} })
    })

    test('that are copied mark their members, and copied members are in none', async () => {
      const { folder, member, collection } = await joined()
      const copy = (await tree.within((stores) =>
        stores.subtrees.copy(folder, {
          parent: folder,
          name: 'copy',
          path: `${folder.path}/copy`,
          position: null,
          readable: null,
          properties: {},
          initialStates: {},
          withChildren: true,
        }),
      ))!
      expect(await tree.within((stores) => stores.collections.markCopiedMembers(copy))).toBe(2)
      const { documents } = backend.reading(SYSTEM)
      const copied = (await documents.get(`${copy.path}/collection`))!
      expect((await tree.read(member))?.properties[COLLECTIONS]).toEqual([collection.id, copied.id])
      expect(await documents.get(`${copy.path}/member`)).toMatchObject({ facets: [], properties: {} })
    })
  })
}
