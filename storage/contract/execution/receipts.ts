import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ExecutionBackend, undone } from './backend.js'

/** What every store of receipts must do. */
export const describeReceipts = (name: string, { transaction, reading }: ExecutionBackend): void => {
  const keyOf = (step = '0') => ({ workflowId: randomUUID(), step })

  describe(`${name}: receipts`, () => {
    test('keep the result of the first attempt that commits', async () => {
      const key = keyOf()
      const result = { input: { type: 'void' }, list: [1, 'É', null] }
      const record = (value: typeof result | string) =>
        transaction(({ receipts }) => receipts.record(key, value))
      expect(await reading.receipts.find(key)).toBeUndefined()
      expect(await record(result)).toBe(true)
      expect(await record('another')).toBe(false)
      expect(await reading.receipts.find(key)).toEqual(result)
      expect(await reading.receipts.find({ ...key, step: '1' })).toBeUndefined()
    })

    test('are none of a transaction that fails', async () => {
      const key = keyOf()
      const failing = transaction(async ({ receipts }) => {
        await receipts.record(key, 'x')
        throw undone
      })
      await expect(failing).rejects.toBe(undone)
      expect(await transaction(({ receipts }) => receipts.record(key, 'y'))).toBe(true)
    })

    test('of several steps are kept together, and all are first, or it is said that they are not', async () => {
      const [a, b, c] = [keyOf(), keyOf(), keyOf()]
      const recordAll = (...keys: { workflowId: string; step: string }[]) =>
        transaction(({ receipts }) =>
          receipts.recordAll(keys.map((key) => ({ key, result: { of: key.workflowId } }))),
        )
      expect(await recordAll(a, b)).toBe(true)
      expect(await reading.receipts.find(a)).toEqual({ of: a.workflowId })
      expect(await reading.receipts.find(b)).toEqual({ of: b.workflowId })
      expect(await recordAll(c, b)).toBe(false)
    })

    test('of the items of a step are listed in the order of their positions', async () => {
      const key = keyOf('2')
      for (const step of ['2/10', '2/9', '2/0', '2/1/0', '20/0', '2'])
        await transaction(({ receipts }) => receipts.record({ ...key, step }, step))
      expect(await reading.receipts.ofItems(key)).toEqual(['2/0', '2/9', '2/10'])
    })

    test('of attempts at the same time one alone is first', async () => {
      const key = keyOf()
      const attempts = Array.from({ length: 6 }, (_, n) =>
        transaction(({ receipts }) => receipts.record(key, n)),
      )
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
    })
  })
}
