import { expect, test } from 'vitest'
import { bestRank } from './mime-match.js'

test.each([
  [['image/png'], 'image/png', 0],
  [['Image/PNG'], 'image/png', 0],
  [['image/*'], 'image/png', 1],
  [['*'], 'image/png', 2],
  [['*', 'image/*', 'image/png'], 'image/png', 0],
  [['image/*'], 'imagery/png', null],
  [['image/jpeg'], 'image/png', null],
  [[], 'image/png', null],
])('%j for %s: %s', (patterns, mimeType, rank) => {
  expect(bestRank(patterns, mimeType)).toBe(rank)
})
