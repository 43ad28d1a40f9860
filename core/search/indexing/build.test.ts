import { expect, test } from 'vitest'
import type { IndexEvent, IndexSides, SubtreeTask } from '../../content/stores/index.js'
import { PAGE } from './bring.js'
import { catchUp } from './build.js'

const position = { transaction: 7, id: 3 }
const moved: IndexEvent = { event: 'documentMoved', documentId: 'root', payload: {}, position }

/** A repository in which a folder of so many documents was moved, and an index that was not notified of it. */
const fixture = (count: number) => {
  const state = { isTold: false, held: [] as SubtreeTask[], written: 0 }
  const rows = Array.from({ length: count }, (_, n) => ({ id: `below-${n}`, path: `/above/${n}` }))
  const feed = {
    mark: async () => position,
    isPast: async () => state.isTold && state.held.length === 0,
    events: async () => (state.isTold ? [] : [moved]),
    version: async () => 1,
    related: async () => [],
    children: async () => [],
    read: async () => ({ documents: [], rest: [] }),
    park: async () => undefined,
    unpark: async () => undefined,
    below: async (_: string, after: string | null, limit: number) => (after ? [] : rows.slice(0, limit)),
    hold: async (_: string, task: SubtreeTask) => void state.held.push(task),
    advance: async () => {
      state.isTold = true
    },
  }
  const engine = {
    under: async () => [],
    refresh: async () => undefined,
    write: async (_: string, writes: readonly unknown[]) => {
      state.written += writes.length
      return []
    },
  }
  return { state, sides: { feed, engine } as unknown as IndexSides }
}

test('a large subtree is left to whoever indexes it, and waited for', async () => {
  const { state, sides } = fixture(PAGE)
  const started: SubtreeTask[] = []
  let isOver = false
  const caughtUp = catchUp(sides, 'index', { subtree: async (task) => void started.push(task) }).then(() => {
    isOver = true
  })
  await expect.poll(() => started).toEqual([{ root: 'root', position }])
  await expect.poll(() => state.isTold).toBe(true)
  expect(isOver).toBe(false)
  expect(state.written).toBe(1)
  state.held = []
  await caughtUp
})

test('a small one is indexed along with the event', async () => {
  const { state, sides } = fixture(3)
  await catchUp(sides, 'index', { subtree: () => Promise.reject(new Error('is small')) })
  expect(state.written).toBe(4)
})
