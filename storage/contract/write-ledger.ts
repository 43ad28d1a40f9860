import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { WriteLedger } from '../../core/platform/limits/index.js'

const A_DAY_OF_MILLISECONDS = 24 * 60 * 60 * 1_000

/**
 * What every ledger of what users have written must do.
 *
 * @param ledgers of two processes, which share nothing but what is stored.
 */
export const describeWriteLedger = (
  name: string,
  [here, there]: readonly [WriteLedger, WriteLedger],
): void => {
  describe(`${name}: what users have written`, () => {
    test('is counted in all processes, for each user, up to the budget', async () => {
      const [user, other] = [randomUUID(), randomUUID()]
      expect(await here.take(user, 60, 100)).toBe(true)
      expect(await there.take(user, 41, 100)).toBe(false)
      expect(await there.take(user, 40, 100)).toBe(true)
      expect(await here.take(user, 1, 100)).toBe(false)
      expect(await here.take(other, 100, 100)).toBe(true)
      expect(await here.take(randomUUID(), 101, 100)).toBe(false)
    })

    test('is never more than the budget, however many write at once', async () => {
      const user = randomUUID()
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).take(user, 10, 100)),
      )
      expect(taken.filter(Boolean)).toHaveLength(10)
    })

    test('is forgotten evenly, all of the budget in a day', async () => {
      const user = randomUUID()
      // One character in a millisecond.
      const budget = A_DAY_OF_MILLISECONDS
      expect(await here.take(user, budget, budget)).toBe(true)
      expect(await here.take(user, budget / 2, budget)).toBe(false)
      await expect.poll(() => there.take(user, 20, budget)).toBe(true)
      expect(await here.take(user, budget / 2, budget)).toBe(false)
    })
  })
}
