import { expect, test } from 'vitest'
import { createRateLimit } from './rate-limit.js'

test('each owner has so many calls in a period, and the next period says how many there were beyond', () => {
  const clock = { now: 1_000 }
  const { take } = createRateLimit({ calls: 2, periodMs: 100, now: () => clock.now })
  expect([1, 2, 3, 4].map(() => take('a').isAllowed)).toEqual([true, true, false, false])
  expect(take('b')).toEqual({ isAllowed: true, refused: 0 })
  clock.now += 100
  expect(take('a')).toEqual({ isAllowed: true, refused: 2 })
  clock.now += 100
  expect(take('a')).toEqual({ isAllowed: true, refused: 0 })
})
