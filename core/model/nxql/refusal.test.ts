import { expect, test } from 'vitest'
import { refusalOfConditions, refusalOfNxql } from './refusal.js'

test.each([
  'SELECT * FROM Document WHERE dc:title = ? AND dc:source IN (?) AND dc:created > :since',
  'SELECT dc:title FROM File ORDER BY dc:title',
])('reads %s', (query) => {
  expect(refusalOfNxql(query)).toBeUndefined()
})

test.each([
  ['SELECT * FORM Document', 'Syntax error: Invalid token <FORM> at offset 9'],
  [
    'SELECT * FROM Document WHERE a:b=? AND c:d=? nad e:f = 1',
    'Syntax error: Invalid token <nad> at offset 45',
  ],
  ['SELECT * FROM Document WHERE a:b = :parent nad', 'Syntax error: Invalid token <nad> at offset 43'],
  ['', 'Syntax error: Invalid token <EOF> at offset 0'],
])('refuses %s where it is wrong', (query, message) => {
  expect(refusalOfNxql(query)).toBe(message)
})

test.each([
  ["dc:title = 'a'", undefined],
  ["dc:title == 'a'", 'Syntax error: Invalid token <=> at offset 10'],
])('conditions: %s', (text, message) => {
  expect(refusalOfConditions(text)).toBe(message)
})
