import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { byType } from '../../../platform/contributions/index.js'
import { registryOf } from '../registry.fixture.js'
import { jsonSchemaOfChains } from './json-schema.js'

const resolve = (schema: object, ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], schema)

const refsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  )
}

const schema = jsonSchemaOfChains(
  registryOf({
    'my chain':
      'description: Mine\nparams:\n- folder:\n    type: document\n    required: true\noperations: []\n',
  }),
)

test('every reference leads somewhere', () => {
  const refs = [...new Set(refsIn(schema))]
  expect(refs.length).toBeGreaterThan(5)
  for (const ref of refs)
    expect({ ref, found: typeof resolve(schema, ref) }).toEqual({ ref, found: 'object' })
})

test('a step names any operation, alias or chain', () => {
  const steps = resolve(schema, '#/$defs/step/anyOf/1/properties') as object
  expect(Object.keys(steps)).toEqual(expect.arrayContaining(['Document.Copy', 'Update.It', 'my chain']))
})

test('parameters carry type, default, description and whether they are required', () => {
  expect(resolve(schema, '#/$defs/call.Document.Update')).toMatchObject({
    title: 'Document.Update',
    description: 'Does Document.Update',
    additionalProperties: false,
    required: ['properties'],
    properties: {
      save: { default: true, anyOf: [{ type: 'boolean' }, { $ref: '#/$defs/expression' }, { type: 'null' }] },
    },
  })
  expect(resolve(schema, '#/$defs/call.my:20:chain')).toMatchObject({
    description: 'Mine',
    required: ['folder'],
  })
})

const published = new Ajv2020({ allErrors: true, strict: false }).compile(byType(schema))

const validator = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])

test.each([
  ['a bare list', ['Context.FetchDocument', { 'my chain': { folder: '/a' } }], true],
  ['an expression for any type', [{ 'Every.Type': { flag: 'expr:a', count: 'expr:@{b}' } }], true],
  ['a template that does not say so', [{ 'Every.Type': { count: '@{b}' } }], false],
  ['a bare step without what it requires', ['Document.Copy'], false],
  ['a bare alias without what it requires', ['Update.It'], false],
  ['a bare step with nothing below', [{ 'Document.Copy': null }], false],
  ['a bare chain without what it requires', ['my chain'], false],
  ['a bare step that requires nothing', ['Every.Type', { 'Every.Type': null }], true],
  [
    'the map form',
    { params: [{ p: { type: 'string' } }], operations: [{ 'Update.It': { properties: {} } }] },
    true,
  ],
  ['no operations', {}, true],
  ['an unknown operation', ['Nope'], false],
  ['an unknown parameter', [{ 'Document.Copy': { target: '/a', to: '/b' } }], false],
  ['a missing parameter', [{ 'Document.Copy': { name: 'x' } }], false],
  ['a wrong type', [{ 'Every.Type': { flag: 'often' } }], false],
  ['two operations in a step', [{ 'Context.FetchDocument': null, 'Every.Type': null }], false],
  ['an unknown key', { operation: [] }, false],
])('the schema judges %s', (_, content, isRight) => {
  expect(validator.safeParse(content).success).toBe(isRight)
  expect(published(content)).toBe(isRight)
})

/** What an editor shows: not that a condition does not hold, of which the reason is another error. */
const errorsOf = (content: unknown): string[] => {
  published(content)
  return (published.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test.each([
  [[{ 'Document.Copy': { target: ['/a'] } }], '/0/Document.Copy/target must be string,null'],
  [[{ 'Every.Type': { flag: 'often' } }], '/0/Every.Type/flag must match pattern "^expr:"'],
  [{ operations: 'Document.Copy' }, '/operations must be array'],
  ['Document.Copy', ' must be array,object'],
  [[{ 'Document.Copy': { target: '/a', to: 1 } }], '/0/Document.Copy must NOT have additional properties'],
])('of what is published, the one thing that is wrong with %j is named', (content, error) => {
  expect(errorsOf(content)).toEqual([error])
})
