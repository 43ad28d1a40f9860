import { expect, test } from 'vitest'
import { parseFulltext } from './parse.js'
import { withSynonyms } from './synonyms.js'

const RULES = [
  { words: ['car', 'Automobile', 'motor car'] },
  { words: ['NY'], finds: ['new york'] },
  { words: ['café'], finds: ['bar'] },
]

/** A query as text, with the synonyms of a term behind it. */
const shape = (text: string): string =>
  withSynonyms(parseFulltext(text), RULES)
    .map((terms) => terms.map((term) => [term.text, ...(term.synonyms ?? [])].join('=')).join('&'))
    .join('|')

test.each([
  ['red car', 'red&car=automobile=motor car'],
  ['AUTOMOBILE OR ny', 'AUTOMOBILE=car=motor car|ny=new york'],
  ['york', 'york'],
  ['cafe', 'cafe=bar'],
  ['bar', 'bar'],
  ['motor car', 'motor&car=automobile=motor car'],
  ['-car red', 'car&red'],
  ['"car"', 'car'],
  ['car*', 'car'],
])('%s', (text, expected) => expect(shape(text)).toBe(expected))

test('a search that becomes too long is refused', () => {
  const words = Array.from({ length: 20 }, (_, n) => `w${n}`)
  const query = parseFulltext(words.concat(words).join(' '))
  expect(() => withSynonyms(query, [{ words }])).toThrow('more than 500 words with their synonyms')
})
