import { expect, test } from 'vitest'
import { digestAlgorithmOf } from './digest.js'

test.each([
  ['a'.repeat(32), 'MD5'],
  ['0'.repeat(40), 'SHA-1'],
  ['f'.repeat(64), 'SHA-256'],
  ['9'.repeat(128), 'SHA-512'],
  ['A'.repeat(32), null],
  ['a'.repeat(31), null],
  [`${'a'.repeat(31)}\n`, null],
  [`${'a'.repeat(32)}\n`, null],
  ['../'.repeat(10).padEnd(32, 'a'), null],
  ['', null],
])('algorithm of %j', (digest, algorithm) => {
  expect(digestAlgorithmOf(digest)).toBe(algorithm)
})
