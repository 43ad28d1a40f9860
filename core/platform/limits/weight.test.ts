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

test('what JSON makes longer is counted in long texts, too, wherever it is', () => {
  const text = `${'x'.repeat(7)}\u0001`.repeat(25_000)
  const inJson = JSON.stringify(text).length
  expect(Math.abs(weightOf(text) - inJson)).toBeLessThan(inJson / 20)
  expect(weightOf('\u0001'.repeat(160_000))).toBe(960_000)
})
