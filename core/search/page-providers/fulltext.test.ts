import { expect, test } from 'vitest'
import { sanitizeFulltext } from './fulltext.js'

test.each([
  ['plain words', 'plain words'],
  ['a!b#c$d', 'a b c d'],
  ['a;b<c>d?e=f', 'a b c d e f'],
  ['-not this', '-not this'],
  ['well-known', 'well known'],
  ['pre*', 'pre*'],
  ['*suffix in*fix', 'suffix in fix'],
  ['- * -', ''],
  ['"a phrase" word', '"a phrase" word'],
  ['an "open phrase', 'an  open phrase'],
  ['  ', ''],
])('%j becomes %j', (text, expected) => {
  expect(sanitizeFulltext(text)).toBe(expected)
})

test('more than a query may hold is refused before it is looked at', () => {
  expect(() => sanitizeFulltext('- '.repeat(5_000_000))).toThrow('10000000 characters, at most 500000')
})
