import { expect, test } from 'vitest'
import { duration } from './duration.js'

test.each([
  [-5, '0.0 s'],
  [450, '0.5 s'],
  [9_999, '10.0 s'],
  [12_400, '12 s'],
  [59_600, '1 min 0 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
])('%d ms is %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected)
})
