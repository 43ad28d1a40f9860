import { expect, test } from 'vitest'
import { weightOf } from './weight.js'

test.each([
  ['\u0001'.repeat(2_000), 12_000],
  ['x'.repeat(2_000), 2_000],
  [{ a: ['x'.repeat(2_000), 1] }, 2_027],
])('a value weighs at least what it has in JSON, and about that', (value, weight) => {
  expect(weightOf(value)).toBe(weight)
  expect(weightOf(value) + 10).toBeGreaterThanOrEqual(JSON.stringify(value).length)
})
