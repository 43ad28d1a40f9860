import { expect, test } from 'vitest'
import { quotient, quotientText } from './quotient.js'

/** As PostgreSQL answers `SELECT 10::numeric / 3`. */
test.each([
  [10, 3, '3.3333333333333333'],
  [0, 7, '0.00000000000000000000'],
  [-5, 2, '-2.5000000000000000'],
  [1, 3, '0.33333333333333333333'],
  [20_000, 3, '6666.6666666666666667'],
  [123_456_789, 7, '17636684.142857142857'],
  [1_234_567_890_123, 7, '176366841446.14285714'],
  [Number.MAX_SAFE_INTEGER, 2, '4503599627370495.5000'],
  [1, 9_999_999, '0.000000100000010000001000'],
])('%d / %d is %s', (dividend, divisor, expected) => {
  expect(quotientText(BigInt(dividend), BigInt(divisor))).toBe(expected)
  expect(quotient(BigInt(dividend), BigInt(divisor))).toBe(Number(expected))
})
