import { expect, test } from 'vitest'
import { checkSentParameters, withDefaults } from './chain-parameters.js'

const declared = (type: string, values: string[] = []) => [{ name: 'n', type, isRequired: true, values }]

test.each([
  ['integer', '3', 3],
  ['long', '-3', -3],
  ['double', '1.5', 1.5],
  ['boolean', 'False', false],
  ['string', '3', '3'],
  ['string', 1.5, '1.5'],
  ['string', false, 'false'],
  ['string', ['a', 1], ['a', 1]],
  ['string', { a: 1 }, { a: 1 }],
  ['integer', 3, 3],
  ['date', '2026-01-31', '2026-01-31'],
  ['date', '', ''],
  ['stringlist', '/a, /b', ['/a', '/b']],
  ['stringlist', ['a', 3, true], ['a', '3', 'true']],
  ['stringlist', 3, ['3']],
  ['properties', 'dc:title=x\ndc:source=y', { 'dc:title': 'x', 'dc:source': 'y' }],
  ['properties', { a: 1 }, { a: 1 }],
  ['map', { a: 1 }, { a: 1 }],
  ['list', [1, { a: 2 }], [1, { a: 2 }]],
  ['list', 'variable', 'variable'],
  ['document', '/nope', '/nope'],
])('%s: %j is %j', (type, given, expected) => {
  expect(withDefaults(declared(type), { n: given })).toEqual({ n: expected })
})

test('a default is of the declared type too', () => {
  expect(withDefaults(declared('integer', ['2', '3']), {})).toEqual({ n: 2 })
})

test.each([
  ['integer', 'abc', 'Parameter n: a whole number is expected, not a text'],
  ['integer', '', 'Parameter n: a whole number is expected, not a text'],
  ['float', 'x', 'Parameter n: a number is expected, not a text'],
  ['boolean', 'yes', 'Parameter n: true or false is expected, not a text'],
  ['date', 'tomorrow', 'Parameter n: an ISO 8601 date is expected, not a text'],
  ['date', 5, 'Parameter n: an ISO 8601 date is expected, not a number'],
  ['stringlist', { a: 1 }, 'Parameter n: a list of texts is expected, not a map'],
  ['stringlist', [{ a: 1 }], 'Parameter n: a list of texts is expected, not a list'],
  ['map', 'x', 'Parameter n: a map is expected, not a text'],
  ['map', ['x'], 'Parameter n: a map is expected, not a list'],
  ['properties', [], 'Parameter n: a map or lines of name=value is expected, not a list'],
  ['list', 5, 'Parameter n: a list is expected, not a number'],
])('%s: %j is refused', (type, given, message) => {
  expect(() => withDefaults(declared(type), { n: given })).toThrow(
    expect.objectContaining({ code: 'badRequest', message }),
  )
})

test.each([
  ['tomorrow', '"tomorrow"'],
  ['a "b"', '"a \\"b\\""'],
  [`${'x'.repeat(59)}😀`, `"${'x'.repeat(59)}…"`],
  [5, 'a number'],
])('what a caller sends is quoted where it is a text: %j', (sent, said) => {
  const message = `Parameter n: an ISO 8601 date is expected, not ${said}`
  const check = (secrets: string[]) => () =>
    checkSentParameters({ params: declared('date') }, { n: sent }, secrets)
  expect(check(['other'])).toThrow(expect.objectContaining({ code: 'badRequest', message }))
  expect(check(['n'])).toThrow(/ not a (?:text|number)$/)
})

test('a required parameter must be given', () => {
  expect(() => withDefaults(declared('integer'), {})).toThrow(/^Parameter n is required$/)
})

test('a typo in the name of a required parameter is reported', () => {
  const folder = { name: 'folder', type: 'string', isRequired: true, values: [] }
  expect(() => withDefaults([folder], { foldr: '/', other: 'x' })).toThrow(
    'Parameter folder is required: "foldr", which is given, is none of this chain',
  )
})
