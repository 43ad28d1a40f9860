import { expect, test } from 'vitest'
import { computingTime } from '../../../../test/support/computing-time.js'
import { parseFulltext } from './parse.js'

/** A query as text: terms joined by `&`, alternatives by `|`. */
const shape = (text: string): string =>
  parseFulltext(text)
    .map((group) =>
      group
        .map(
          ({ text: word, isPrefix, isExcluded }) => `${isExcluded ? '!' : ''}${word}${isPrefix ? '*' : ''}`,
        )
        .join('&'),
    )
    .join('|')

test.each([
  ['foo bar', 'foo&bar'],
  ['  foo\tbar ', 'foo&bar'],
  ['foo OR bar', 'foo|bar'],
  ['foo or bar baz', 'foo|bar&baz'],
  ['foo Or bar', 'foo|bar'],
  ['foo -bar', 'foo&!bar'],
  ['+foo +bar', 'foo&bar'],
  ['"foo bar" baz', 'foo bar&baz'],
  ['-"foo bar" baz', '!foo bar&baz'],
  ['foo* ba%', 'foo*&ba*'],
  ['"foo ba*"', 'foo ba*'],
  ['foo-bar', 'foo-bar'],
  ['foo !? ... bar', 'foo&bar'],
  ['"or" x', 'or&x'],
  ['+or x', 'or&x'],
  ['oracle', 'oracle'],
  ['-foo', ''],
  ['-foo OR bar', 'bar'],
  ['?! OR bar', 'bar'],
  ['', ''],
  ['*', ''],
  ['"" foo', 'foo'],
  ['été naïve', 'été&naïve'],
  ['es: foo bar*', 'foo|bar*'],
  ['es: foo +bar -baz', 'foo&bar&!baz'],
  ['es: "foo bar" | OR', 'foo bar|OR'],
  ['es: - foo "', 'foo'],
  ['es: ', ''],
  ['es:foo bar', 'es:foo&bar'],
])('%s', (text, expected) => expect(shape(text)).toBe(expected))

test.each([
  ['"foo', 'unterminated phrase'],
  ['foo "', 'unterminated phrase'],
  ['-"foo', 'unterminated phrase'],
  ['fo"o bar', 'quote inside a word'],
  ['OR foo', 'leading OR'],
  ['OR', 'leading OR'],
  ['foo OR OR bar', 'double OR'],
  ['foo OR', 'final OR'],
  ['foo - bar', 'standalone +/-'],
  ['+', 'standalone +/-'],
  [Array(201).fill('a').join(' '), 'more than 200 words'],
])('%s is refused', (text, message) => {
  expect(() => parseFulltext(text)).toThrow(`Invalid fulltext query (${message})`)
})

test('takes linear time', () => {
  const hostile = [' '.repeat(400_000), '*'.repeat(400_000), `a${'*'.repeat(300_000)}b`, '"'.repeat(400_000)]
  const took = computingTime(() => {
    for (const text of hostile) {
      try {
        parseFulltext(text)
      } catch {}
    }
  })
  expect(took).toBeLessThan(1_000)
})
