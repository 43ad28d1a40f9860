import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { ContentBackend, ContentScope } from './backend.js'
import { createTree, eventOf } from './tree.js'

/** What every transaction must do about work that may fail without failing it. */
export const describeSavepoints = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const undone = new Error('undone')

  describe(`${name}: savepoints`, () => {
    test('undo what failed, its events too, and nothing else', async () => {
      const document = await tree.create(await tree.folder())
      const set = ({ stores }: ContentScope, key: string) =>
        stores.documents.update({ id: document.id, properties: { [key]: 1 }, isUserChange: true }, [
          eventOf(key, document),
        ])
      await backend.transaction(SYSTEM, async (scope) => {
        await set(scope, 's:a')
        const failing = scope.attempt(async (inner) => {
          await set(inner, 's:b')
          await inner.attempt((innermost) => set(innermost, 's:c'))
          throw undone
        })
        await expect(failing).rejects.toBe(undone)
        await scope.attempt(async (inner) => {
          await set(inner, 's:d')
          const deeper = inner.attempt(async (innermost) => {
            await set(innermost, 's:e')
            throw undone
          })
          await expect(deeper).rejects.toBe(undone)
        })
      })
      expect((await tree.read(document))?.properties).toEqual({ 's:a': 1, 's:d': 1 })
      const events = (await backend.events()).filter(({ documentId }) => documentId === document.id)
      expect(events.map(({ event }) => event)).toEqual(['s:a', 's:d'])
    })

    test('undo what the store refuses, and the transaction goes on', async () => {
      const document = await tree.create(await tree.folder())
      await backend.transaction(SYSTEM, async (scope) => {
        const refused = scope.attempt(({ stores }) =>
          stores.documents.insert({ ...document, id: 'no-uuid', path: '/elsewhere' }, []),
        )
        await expect(refused).rejects.toThrow()
        await scope.stores.documents.update(
          { id: document.id, properties: { 'dc:title': 'on' }, isUserChange: true },
          [],
        )
      })
      expect((await tree.read(document))?.properties).toEqual({ 'dc:title': 'on' })
    })

    test('that are asked for at once follow one another', async () => {
      const document = await tree.create(await tree.folder())
      await backend.transaction(SYSTEM, async (scope) => {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 10 }, (_, n) =>
            scope.attempt(async ({ stores }) => {
              await stores.counters.increment(document.id, [{ path: ['s:size'], by: 1 }])
              if (n % 2 === 0) throw undone
            }),
          ),
        )
        expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5)
      })
      expect((await tree.read(document))?.properties['s:size']).toBe(5)
    })
  })
}
