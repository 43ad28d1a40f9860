import { expect, test } from 'vitest'
import { backoffMs } from './backoff.js'

test('waits longer after each quick death, up to a quarter of a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map(backoffMs)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
})
