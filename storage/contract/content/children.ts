import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { ContentBackend } from './backend.js'
import { createTree } from './tree.js'

/** What every store of children must do. */
export const describeChildStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { children } = backend.reading(SYSTEM)

  describe(`${name}: children`, () => {
    test('stand by position, then name; those without a position last', async () => {
      const folder = await tree.folder()
      const wanted: [name: string, position: number | null][] = [
        ['b', null],
        ['z', 0],
        ['a', null],
        ['y', 1],
      ]
      for (const [child, position] of wanted) {
        const { id } = await tree.create(folder, { name: child, position })
        await tree.create((await tree.read({ id }))!, { name: 'below' })
      }
      const listed = await children.list(folder.id)
      expect(listed.map((child) => child.name)).toEqual(['z', 'y', 'a', 'b'])
      expect(await children.ids(folder.id)).toEqual(listed.map(({ id }) => id))
    })

    test('get the position after the last, and new ones together', async () => {
      const folder = await tree.folder()
      expect(await children.nextPosition(folder.id)).toBe(0)
      const a = await tree.create(folder, { name: 'a', position: 0 })
      const b = await tree.create(folder, { name: 'b', position: 4 })
      expect(await children.nextPosition(folder.id)).toBe(5)
      await tree.within((stores) => stores.children.setPositions([b.id, a.id]))
      expect((await children.list(folder.id)).map(({ id, position }) => [id, position])).toEqual([
        [b.id, 0],
        [a.id, 1],
      ])
    })

    test('of nobody are none', async () => {
      const file = await tree.create(await tree.folder())
      expect(await children.list(file.id)).toEqual([])
      expect(await children.ids(file.id)).toEqual([])
    })
  })
}
