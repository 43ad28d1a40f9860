import { expect, test } from 'vitest'
import { refusalOfExpression } from './refusal.js'

test.each([
  'Document["dc:title"]',
  'a @{Document.name} b @{1 + 1}',
  'x == null || empty(y) ? [1, 2] : (z &lt; 2)',
  '(function () { return 1 })()',
  "@{Fn.getNextId('a')}-@{CurrentDate.days(7).format('yyyy')}",
])('reads %s', (source) => {
  expect(refusalOfExpression(`expr:${source}`)).toBeUndefined()
})

test.each([
  ["Document['dc:title'", /^Expression "Document\['dc:title'" cannot be read: /],
  ['Document["dc:title".startsWith("I")', /cannot be read: /],
  ['a @{ b', /cannot be read: /],
  ['1 + ', /cannot be read: Unexpected end of the expression$/],
  ['a) + (b', /cannot be read: /],
])('refuses %s', (source, message) => {
  expect(refusalOfExpression(`expr:${source}`)).toMatch(message)
})

test.each([
  ['longer than any expression may be', '1+'.repeat(40_000), /is longer than the limit/],
  ['deeper than can be read', `a${'.b'.repeat(30_000)}`, /cannot be read: /],
])('refuses what is %s', (_, source, message) => {
  expect(refusalOfExpression(`expr:${source}`)).toMatch(message)
})
