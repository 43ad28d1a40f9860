import { expect, test } from 'vitest'
import { didYouMean, suggestion } from '../index.js'

const WORDS = ['dublincore', 'file', 'files', 'maxLength', 'string']

test.each([
  ['dublincor', 'dublincore'],
  ['dubilncore', 'dublincore'],
  ['flie', 'file'],
  ['fiel', 'file'],
  ['fils', 'file'],
  ['maxlength', 'maxLength'],
  ['strin', 'string'],
  ['picture', undefined],
  ['', undefined],
  ['x'.repeat(1_000_000), undefined],
])('%.20s means %s', (word, meant) => {
  expect(didYouMean(word, WORDS)).toBe(meant)
})

test('a suggestion is the tail of a sentence, or nothing', () => {
  expect(suggestion('fil', WORDS)).toBe(', did you mean "file"?')
  expect(suggestion('quite else', WORDS)).toBe('')
})
