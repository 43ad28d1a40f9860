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
