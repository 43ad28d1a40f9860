import { expect, test } from 'vitest'
import { wordsOfVector } from './tsvector.js'

test.each([
  ['no words', '', []],
  ['words in the order of their text', "'alpha':2 'zoo':1", ['zoo D', 'alpha D']],
  ['a word at several positions', "'a':1A,3 'b':2B,4C", ['a A', 'b B', 'a D', 'b C']],
  ['quotes and backslashes', "'a\\\\b':2 'it''s':1", ["it's D", 'a\\b D']],
  ['spaces, colons and commas in a word', "'a b':1 'c:2,3':2A", ['a b D', 'c:2,3 A']],
])('the text of a vector has %s', (_, text, words) => {
  expect(wordsOfVector(text).map(({ word, weight }) => `${word} ${weight}`)).toEqual(words)
})
