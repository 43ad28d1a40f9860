import { expect, test } from 'vitest'
import { matchesStars } from './stars.js'

test.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', '*', true],
  ['', '*', true],
  ['abc', 'a*c', true],
  ['abc', 'a*b*', true],
  ['abc', '*b', false],
  ['aba', 'ab*ba', false],
  ['abab', '*ab*ab', true],
  ['a.c', 'a.c', true],
  ['abc', 'a.c*', false],
])('%s is %s: %s', (text, pattern, expected) => {
  expect(matchesStars(text, pattern)).toBe(expected)
})

test('many stars take no longer than one', () => {
  const begun = process.cpuUsage().user
  expect(matchesStars('collectionMember:collectionIds', `${'*'.repeat(10_000)}z`)).toBe(false)
  expect(matchesStars('a'.repeat(1_000), `${'*a'.repeat(500)}*z`)).toBe(false)
  expect(process.cpuUsage().user - begun).toBeLessThan(500_000)
})
