import { expect, test } from 'vitest'
import { regularExpressionsIn } from './regular-expressions.js'

test.each([
  ['word other', 0],
  ['/a.*/ word', 1],
  ['/a/ /b/', 2],
  ['dc\\:source:a\\/b\\/c', 0],
  ['/a\\/b/ /', 2],
])('%s has %d', (text, expected) => {
  expect(regularExpressionsIn(text)).toBe(expected)
})
