import { expect, test } from 'vitest'
import { hasLongNearWord } from './near-words.js'

const LONG = 'x'.repeat(101)

test.each<[text: string, expected: boolean]>([
  [`short~ ${LONG}`, false],
  [`${LONG}~2`, true],
  [`dc:title:${LONG}~`, true],
  [`${'x'.repeat(60)}\\ ${'x'.repeat(60)}~`, true],
  [`${'word '.repeat(60)}near~1`, false],
])('%s: %s', (text, expected) => {
  expect(hasLongNearWord(text)).toBe(expected)
})
