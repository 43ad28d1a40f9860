import { expect, test } from 'vitest'
import { withDefaults } from './chain-parameters.js'

const declared = (type: string, values: string[] = []) => [{ name: 'n', type, isRequired: true, values }]

test.each([
  ['integer', '3', 3],
  ['long', '-3', -3],
  ['double', '1.5', 1.5],
  ['boolean', 'False', false],
  ['string', '3', '3'],
  ['integer', 3, 3],
  ['date', '2026-01-31', '2026-01-31'],
])('%s: %j is %j', (type, given, expected) => {
  expect(withDefaults(declared(type), { n: given })).toEqual({ n: expected })
})

test('a default is of the declared type too', () => {
  expect(withDefaults(declared('integer', ['2', '3']), {})).toEqual({ n: 2 })
})

test.each([
  ['integer', 'abc', 'Parameter n: a whole number is expected, not "abc"'],
  ['integer', '', 'Parameter n: a whole number is expected, not ""'],
  ['float', 'x', 'Parameter n: a number is expected, not "x"'],
  ['boolean', 'yes', 'Parameter n: true or false is expected, not "yes"'],
])('%s: %j is refused', (type, given, message) => {
  expect(() => withDefaults(declared(type), { n: given })).toThrow(
    expect.objectContaining({ code: 'badRequest', message }),
  )
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
