import { expect, test } from 'vitest'
import { referencesIn } from './references.js'

test.each([
  ['expr:A.b', [{ holder: 'A', key: 'b', isCall: false, at: 5 }]],
  [
    'A?.b + A["c d"]() + A[\'e\']',
    [
      { holder: 'A', key: 'b', isCall: false, at: 0 },
      { holder: 'A', key: 'c d', isCall: true, at: 7 },
      { holder: 'A', key: 'e', isCall: false, at: 20 },
    ],
  ],
  ['expr:x @{A.b()} y @{x.A.b}', [{ holder: 'A', key: 'b', isCall: true, at: 9 }]],
  ['A[b] + A["a\\"b"] + "A.b" + A', []],
])('%s', (text, references) => {
  expect(referencesIn(text, ['A'])).toEqual(references)
})
