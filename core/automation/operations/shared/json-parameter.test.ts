import { expect, test } from 'vitest'
import { jsonIn } from './json-parameter.js'

test('a text of JSON is read, and named where it is none', () => {
  expect(jsonIn('entries', '["a", {"b": [1]}]')).toEqual(['a', { b: [1] }])
  expect(() => jsonIn('entries', '[')).toThrow('entries: is not JSON')
})

test.each([
  [
    'names',
    `{${Array.from({ length: 50_001 }, (_, index) => `"a${index}":1`).join()}}`,
    'more than 50000 names',
  ],
  ['values', `[${Array(1_000_002).fill('"0"').join()}]`, 'more than 1000000 values'],
  ['depth', `${'['.repeat(101)}${']'.repeat(101)}`, 'nested deeper than 100'],
])('one with too many %s is refused before it is read', (_, text, message) => {
  expect(() => jsonIn('entries', text)).toThrow(
    `entries: ${message.startsWith('nested') ? 'is' : 'has'} ${message}`,
  )
})
