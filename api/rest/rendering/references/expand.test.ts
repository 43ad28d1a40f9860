import { expect, test } from 'vitest'
import type { Field, Schema } from '../../../../core/model/content-model/index.js'
import { expandProperties, MAX_EXPANDED } from './expand.js'

const field = (more: Partial<Field>): Field =>
  ({
    name: 'subjects',
    type: 'string',
    isList: true,
    fields: [],
    resolver: { kind: 'user' },
    ...more,
  }) as Field
const schemaOf = (...fields: Field[]): Schema =>
  ({ prefix: 'dc', fields: new Map(fields.map((each) => [each.name, each])) }) as unknown as Schema

const expand = async (value: string) => (value === 'gone' ? undefined : { id: value })
const expanded = (properties: { [key: string]: unknown }, patterns: string[], schema = schemaOf(field({}))) =>
  expandProperties(properties, { schemas: [schema], patterns, expand })

test('what a list refers to takes the place of its values, but for what is not there', async () => {
  const properties = { 'dc:subjects': ['a', 'gone', ''] }
  expect(await expanded(properties, ['dc:subjects'])).toEqual({ 'dc:subjects': [{ id: 'a' }, 'gone', ''] })
  expect(await expanded(properties, ['dc:title'])).toEqual(properties)
})

test('the first values of a long list are looked up alone', async () => {
  const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`)
  const { 'dc:subjects': shown } = await expanded({ 'dc:subjects': values }, ['properties'])
  expect((shown as unknown[]).slice(0, MAX_EXPANDED)).toEqual(
    values.slice(0, MAX_EXPANDED).map((id) => ({ id })),
  )
  expect((shown as unknown[]).slice(MAX_EXPANDED)).toEqual(values.slice(MAX_EXPANDED))
})
