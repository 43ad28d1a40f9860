import { expect, test } from 'vitest'
import type { IndexedDocument, IndexSides } from '../../content/stores/index.js'
import { bringSubtree, SUBTREE_START, type SubtreePosition } from './subtree.js'

const task = { root: 'root', position: { transaction: 7, id: 3 } }

/** A repository with 600 documents below a root, and an index that may lose them, or be gone. */
const fixture = (state: { held: boolean; exists: boolean }) => {
  const paths = Array.from({ length: 600 }, (_, n) => `/folder/${String(n).padStart(3, '0')}`)
  const written: string[] = []
  const removed: string[] = []
  const feed = {
    held: async () => (state.held ? [task] : []),
    release: async () => {
      state.held = false
    },
    list: async () => (state.exists ? [{ name: 'index' }] : []),
    below: async (_: string, after: string | null, limit: number) =>
      paths
        .filter((path) => path > (after ?? ''))
        .slice(0, limit)
        .map((path) => ({ id: path, path })),
    related: async () => [],
    version: async () => 1,
    read: async (ids: readonly string[]) => ({
      documents: ids.map((id) => ({ record: { id } }) as IndexedDocument),
      rest: [],
    }),
    park: async () => undefined,
    unpark: async () => undefined,
  }
  const engine = {
    under: async () => [],
    refresh: async () => undefined,
    remove: async (name: string) => void removed.push(name),
    write: async (_: string, writes: readonly { id: string }[]) => {
      written.push(...writes.map(({ id }) => id))
      return []
    },
  }
  return { sides: { feed, engine } as unknown as IndexSides, written, removed }
}

test('a subtree is indexed in pages, and goes on where an attempt has stopped', async () => {
  const state = { held: true, exists: true }
  const { sides, written } = fixture(state)
  const reported: SubtreePosition[] = []
  const stop = (position: SubtreePosition) => {
    reported.push(position)
    throw new Error('killed')
  }
  const of = { index: 'index', task }
  await expect(bringSubtree(sides, of, { from: SUBTREE_START, report: stop })).rejects.toThrow('killed')
  expect(reported).toEqual([{ source: 'repository', after: '/folder/499', done: 500 }])
  const report = (position: SubtreePosition) => void reported.push(position)
  expect(await bringSubtree(sides, of, { from: reported[0]!, report })).toBe(600)
  expect(written).toHaveLength(600)
  expect(new Set(written).size).toBe(600)
  expect(state.held).toBe(false)
})

test('it ends when nobody waits for it, and leaves nothing of an index that is gone', async () => {
  const { sides, written, removed } = fixture({ held: false, exists: false })
  const report = () => undefined
  expect(await bringSubtree(sides, { index: 'index', task }, { from: SUBTREE_START, report })).toBe(0)
  expect([written, removed]).toEqual([[], ['index']])
})
