import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { byType } from './by-type.js'
import type { JsonSchema } from './json-schema.js'

const TEXTS = {
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', items: { type: 'string' } },
  ],
}

const PAGE = {
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', const: 'SOME' },
    { type: 'string', const: 'ALL' },
  ],
}

const ACE = {
  anyOf: ['grant', 'deny'].map((key) => ({
    type: 'object',
    properties: { [key]: { type: 'string' }, to: { type: 'string' } },
    required: [key, 'to'],
    additionalProperties: false,
  })),
}

const errorsOf = (schema: JsonSchema, value: unknown): string[] => {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema)
  validate(value)
  return (validate.errors ?? []).flatMap(({ keyword, instancePath, message }) =>
    keyword === 'if' ? [] : [`${instancePath} ${message}`.trim()],
  )
}

test.each([
  [TEXTS, 3, ['must be string,array']],
  [TEXTS, '', ['must NOT have fewer than 1 characters']],
  [TEXTS, ['a', 3], ['/1 must be string']],
  [PAGE, 0, ['must be >= 1']],
  [PAGE, 'MANY', ['must be equal to one of the allowed values']],
  [ACE, { grant: 3, to: 'x' }, ['/grant must be string']],
  [ACE, { deny: 'x' }, ["must have required property 'to'"]],
])('of %j, %j names the one thing that is wrong', (schema, value, errors) => {
  expect(errorsOf(byType(schema), value)).toEqual(errors)
  expect(errorsOf(schema, value).length).toBeGreaterThan(errors.length)
})

test.each([
  [TEXTS, ['a', ['a'], []]],
  [PAGE, [1, 'SOME', 'ALL']],
  [
    ACE,
    [
      { grant: 'a', to: 'b' },
      { deny: 'a', to: 'b' },
    ],
  ],
  [
    {
      anyOf: [
        { type: 'integer', minimum: 3 },
        { type: 'number', maximum: 1 },
      ],
    },
    [1, 5, 0.5],
  ],
])('what fits %j still does', (schema, values) => {
  for (const value of values) expect(errorsOf(byType(schema), value)).toEqual([])
})
