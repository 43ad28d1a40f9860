import type { FieldDefinition, FieldDetails, SchemaContent } from './schemas-point.js'
import type { Field, FieldType, Resolver, Schema } from './types.js'

/** Builds a schema from its contribution. */
export const buildSchema = (name: string, { prefix, fields }: SchemaContent): Schema => ({
  name,
  prefix: prefix ?? name,
  hasPrefix: prefix !== undefined,
  fields: new Map(
    Object.entries(fields).map(([field, definition]) => [field, buildField(field, definition)]),
  ),
})

const buildField = (name: string, definition: FieldDefinition): Field => {
  const details: FieldDetails = typeof definition === 'string' ? { type: definition } : definition
  const { type, fields = {}, default: fallback, resolver, ...constraints } = details
  const isList = type.endsWith('[]')
  return {
    name,
    // The contribution's schema allows no other text before the brackets.
    type: (isList ? type.slice(0, -2) : type) as FieldType,
    isList,
    fields: Object.entries(fields).map(([field, nested]) => buildField(field, nested)),
    constraints: withoutUndefined(constraints),
    ...(fallback !== undefined && { default: fallback }),
    ...(resolver !== undefined && { resolver: buildResolver(resolver) }),
  }
}

const buildResolver = (resolver: NonNullable<FieldDetails['resolver']>): Resolver => {
  if (resolver === 'user') return { kind: 'user', isChecked: true }
  if (resolver === 'document') return { kind: 'document', isChecked: true }
  const isChecked = resolver.validation !== false
  if ('directory' in resolver) return { kind: 'directory', directory: resolver.directory, isChecked }
  if ('document' in resolver) return { kind: 'document', store: resolver.document, isChecked }
  return { kind: 'user', isChecked, ...(resolver.user !== 'any' && { only: resolver.user }) }
}

const withoutUndefined = <T extends object>(values: T): T =>
  // Only absent optional keys are left out.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

const blobField = (name: string, type: FieldType = 'string'): Field => ({
  name,
  type,
  isList: false,
  fields: [],
  constraints: {},
})

/** What an xpath may name below a blob. `data` is the reference platform's word for the stored bytes' key. */
export const BLOB_FIELDS: ReadonlyMap<string, Field> = new Map([
  ['name', blobField('name')],
  ['mime-type', blobField('mime-type')],
  ['encoding', blobField('encoding')],
  ['digestAlgorithm', blobField('digestAlgorithm')],
  ['digest', blobField('digest')],
  ['data', blobField('digest')],
  ['length', blobField('length', 'long')],
])
