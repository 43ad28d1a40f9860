import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ExecutionBackend, undone } from './backend.js'

/** What every store of sequences must do. */
export const describeSequences = (name: string, { transaction }: ExecutionBackend): void => {
  test(`${name}: sequences give each number once, without a gap where a transaction fails`, async () => {
    const [key, other] = [randomUUID(), randomUUID()]
    const next = () => transaction(({ sequences }) => sequences.next(key))
    expect([await next(), await next()]).toEqual([1, 2])
    const failing = transaction(async ({ sequences }) => {
      await sequences.next(key)
      throw undone
    })
    await expect(failing).rejects.toBe(undone)
    const numbers = await Promise.all(Array.from({ length: 10 }, next))
    expect(new Set(numbers)).toEqual(new Set(Array.from({ length: 10 }, (_, n) => n + 3)))
    expect(await transaction(({ sequences }) => sequences.next(other))).toBe(1)
  })
}
