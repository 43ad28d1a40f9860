import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Properties } from '../../../core/model/properties/index.js'
import type { ContentBackend } from './backend.js'
import { createTree } from './tree.js'

/** What every store of counters must do. */
export const describeCounterStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const increment = (id: string, path: (string | number)[], by: number) =>
    tree.within((stores) => stores.counters.increment(id, [{ path, by }]))

  describe(`${name}: counters`, () => {
    test('add to what is there, null being 0, at any depth', async () => {
      const properties: Properties = { 's:size': 5, 's:people': [{ name: 'x' }, { age: 2 }] }
      const { id, systemToken, userToken } = await tree.create(await tree.folder(), { properties })
      const counted = await tree.within((stores) =>
        stores.counters.increment(id, [
          { path: ['s:size'], by: 2 },
          { path: ['s:size'], by: -10 },
          { path: ['s:numbersOf'], by: 1 },
          { path: ['s:people', 1, 'age'], by: 40 },
        ]),
      )
      expect(counted).toMatchObject({ systemToken: systemToken + 1, userToken })
      expect(counted?.properties).toEqual({
        's:size': -3,
        's:numbersOf': 1,
        's:people': [{ name: 'x' }, { age: 42 }],
      })
    })

    test('lose nothing of what others add at the same time', async () => {
      const { id } = await tree.create(await tree.folder())
      await Promise.all(Array.from({ length: 20 }, () => increment(id, ['s:size'], 1)))
      expect((await tree.read({ id }))?.properties['s:size']).toBe(20)
    })

    test('of what is not there change nothing', async () => {
      const { id } = await tree.create(await tree.folder(), { properties: { 's:people': [] } })
      expect(await increment(id, ['s:people', 0, 'age'], 1)).toBeUndefined()
      expect(await increment(randomUUID(), ['s:size'], 1)).toBeUndefined()
      expect((await tree.read({ id }))?.properties).toEqual({ 's:people': [] })
    })
  })
}
