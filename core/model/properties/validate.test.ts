import { describe, expect, test } from 'vitest'
import { isArchivoltError } from '../../platform/errors/index.js'
import { requireValid, validateProperties, validationReport } from './index.js'
import { schemasNamed } from './model.fixture.js'
import type { Properties } from './types.js'

const schemas = schemasNamed('strict', 'all')
const GOOD: Properties = { 's:title': 't', 's:colors': ['red'] }

const violationsOf = (properties: Properties, isPartial = true) =>
  validateProperties(properties, schemas, { isPartial }).map(
    ({ field, constraint }) => `${field} ${constraint.name}`,
  )

describe('constraints', () => {
  test.each<[Properties, string[]]>([
    [{}, []],
    [{ 's:title': null }, ['s:title NotNullConstraint']],
    [{ 's:title': '' }, []],
    [{ 's:short': 'abc' }, []],
    [{ 's:short': 'abcd' }, ['s:short LengthConstraint']],
    [{ 's:short': null }, []],
    [{ 's:long': 'a' }, ['s:long LengthConstraint']],
    [{ 's:between': 'a' }, ['s:between LengthConstraint']],
    [{ 's:between': 'ab' }, []],
    [{ 's:code': 'AB-1' }, []],
    [{ 's:code': 'xAB-12' }, ['s:code PatternConstraint']],
    [{ 's:color': 'red' }, []],
    [{ 's:color': 'blue' }, ['s:color EnumConstraint']],
    [{ 's:colors': null }, ['s:colors NotNullConstraint']],
    [{ 's:colors': ['red', 'blue', 'pink'] }, ['s:colors/1 EnumConstraint', 's:colors/2 EnumConstraint']],
    [{ 's:colors': ['red', null] }, []],
    [{ 's:colors': [] }, []],
    [{ 's:lines': null }, []],
    [{ 's:lines': [{ unit: 'kg' }, {}] }, ['s:lines/1/unit NotNullConstraint']],
    [{ 's:lines': [{ unit: 'kg', part: { id: 'toolong' } }] }, ['s:lines/0/part/id LengthConstraint']],
    [{ 's:free': 'x', 'a:text': 'y', 'z:unknown': 'z' }, []],
  ])('%j breaks %j', (properties, broken) => {
    expect(violationsOf(properties)).toEqual(broken)
  })

  test('absent properties count for whole documents only', () => {
    expect(violationsOf({}, false)).toEqual(['s:title NotNullConstraint', 's:colors NotNullConstraint'])
    expect(violationsOf(GOOD, false)).toEqual([])
  })
})

test('the report has the shape of the reference platform', () => {
  const violations = validateProperties({ ...GOOD, 's:title': null, 's:lines': [{ unit: null }] }, schemas)
  expect(validationReport(violations)).toEqual({
    'entity-type': 'validation_report',
    has_error: true,
    number: 2,
    violations: [
      {
        messageKey: 'label.schema.constraint.violation.NotNullConstraint.strict.title',
        message: 'This value is required',
        invalid_value: null,
        constraint: { 'entity-type': 'validation_constraint', name: 'NotNullConstraint', parameters: {} },
        path: [{ field_name: 's:title', is_list_item: false }],
      },
      {
        messageKey: 'label.schema.constraint.violation.NotNullConstraint.strict.lines.unit',
        message: 'This value is required',
        invalid_value: null,
        constraint: { 'entity-type': 'validation_constraint', name: 'NotNullConstraint', parameters: {} },
        path: [
          { field_name: 's:lines', is_list_item: true, index: 0 },
          { field_name: 'unit', is_list_item: false },
        ],
      },
    ],
  })
  expect(validationReport([{ message: 'of another rule' }])).toBeUndefined()
})

test.each([
  ['s:short', 'abcd', { Maximum: '3' }, 'This value must have at most 3 characters'],
  ['s:long', 'a', { Minimum: '2' }, 'This value must have at least 2 characters'],
  ['s:between', 'a', { Minimum: '2', Maximum: '3' }, 'This value must have between 2 and 3 characters'],
  ['s:code', 'x', { Pattern: '[A-Z]+-\\d' }, 'This value must match [A-Z]+-\\d'],
  ['s:color', 'x', { Values: 'red, green' }, 'This value must be one of red, green'],
])('%s says what it wants', (key, value, parameters, message) => {
  const [violation] = validateProperties({ [key]: value }, schemas, { isPartial: true })
  expect(violation).toMatchObject({ message, constraint: { parameters } })
})

test('what is required fails as invalid, with the violations', () => {
  const attempt = () => requireValid({ 's:title': null, 's:short': 'abcd' }, schemas, { isPartial: true })
  expect(attempt).toThrow(
    's:title: This value is required; s:short: This value must have at most 3 characters',
  )
  try {
    attempt()
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    expect(error.status).toBe(422)
    expect(validationReport(error.details)?.number).toBe(2)
  }
  expect(() => requireValid(GOOD, schemas)).not.toThrow()
})
