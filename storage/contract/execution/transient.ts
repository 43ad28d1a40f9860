import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CHUNK_SIZE } from '../../../core/automation/language/index.js'
import { type ExecutionBackend, undone } from './backend.js'

/** What every transient store must do. */
export const describeTransientStore = (name: string, { transaction, reading }: ExecutionBackend): void => {
  const { transient } = reading

  describe(`${name}: the transient store`, () => {
    test.each([[null], ['text'], [{ a: [1, { b: null }], c: 'É' }], ['x'.repeat(300_000)]])(
      'keeps a value',
      async (value) => {
        const key = randomUUID()
        await transaction((stores) => stores.transient.put(key, value))
        expect(await transient.get(key)).toEqual(value)
      },
    )

    test('has nothing that was never kept, or whose transaction failed', async () => {
      const key = randomUUID()
      const failing = transaction(async (stores) => {
        await stores.transient.put(key, 'x')
        throw undone
      })
      await expect(failing).rejects.toBe(undone)
      expect(await transient.get(key)).toBeUndefined()
      await expect(transient.getList(key, 0, 1)).rejects.toMatchObject({ code: 'notFound' })
    })

    test('gives any part of a long list', async () => {
      const key = randomUUID()
      const ids = Array.from({ length: 3 * CHUNK_SIZE + 7 }, (_, n) => String(n))
      await transaction((stores) => stores.transient.putList(key, ids))
      for (const [from, to] of [
        [0, ids.length],
        [0, 1],
        [CHUNK_SIZE - 1, CHUNK_SIZE + 1],
        [2 * CHUNK_SIZE, 3 * CHUNK_SIZE],
        [3 * CHUNK_SIZE + 6, 3 * CHUNK_SIZE + 7],
      ] as const)
        expect(await transient.getList(key, from, to)).toEqual(ids.slice(from, to))
      await expect(transient.getList(key, 0, ids.length + 1)).rejects.toMatchObject({ code: 'notFound' })
    })
  })
}
