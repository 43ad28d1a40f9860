import type { ContentModel, DocumentType, Field, Schema } from '../../core/model/content-model/index.js'
import type { JsonSchema } from './json-schemas.js'

const SCALARS: { [type in Field['type']]?: JsonSchema } = {
  string: { type: 'string' },
  long: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  binary: { type: 'string', contentEncoding: 'base64' },
}

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Entities that `fetch-document` writes instead of a reference. */
const REFERENCED: { [kind in NonNullable<Field['resolver']>['kind']]: readonly string[] } = {
  user: ['user', 'group'],
  directory: ['directoryEntry'],
  document: ['document'],
}

const NULL: JsonSchema = { type: 'null' }

const boundsOf = ({ type, constraints }: Field): JsonSchema => {
  const { minimum, maximum, minimumInclusive = true, maximumInclusive = true } = constraints
  if (type === 'date') {
    const from = minimum === undefined ? [] : [`${minimumInclusive ? 'from' : 'after'} ${minimum}`]
    const to = maximum === undefined ? [] : [`${maximumInclusive ? 'until' : 'before'} ${maximum}`]
    return from.length + to.length === 0 ? {} : { description: [...from, ...to].join(' ') }
  }
  return {
    ...(minimum !== undefined && { [minimumInclusive ? 'minimum' : 'exclusiveMinimum']: Number(minimum) }),
    ...(maximum !== undefined && { [maximumInclusive ? 'maximum' : 'exclusiveMaximum']: Number(maximum) }),
  }
}

const constraintsOf = (field: Field): JsonSchema => {
  const { minLength, maxLength, pattern, values } = field.constraints
  return {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    // Patterns of XML Schema match the whole text.
    ...(pattern !== undefined && { pattern: `^(?:${pattern})$` }),
    ...(values && { enum: values }),
    ...boundsOf(field),
  }
}

/** One value of a field that is not null. */
const singleSchema = (field: Field): JsonSchema => {
  if (field.type === 'blob') return refTo('blob')
  if (field.type === 'complex') return { type: 'object', properties: fieldSchemas(field.fields) }
  const own = { ...SCALARS[field.type], ...constraintsOf(field) }
  if (!field.resolver) return own
  return { anyOf: [own, ...REFERENCED[field.resolver.kind].map(refTo)] }
}

const orNull = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.anyOf)) return { anyOf: [...schema.anyOf, NULL] }
  if (typeof schema.type !== 'string' || schema.enum) return { anyOf: [schema, NULL] }
  return { ...schema, type: [schema.type, 'null'] }
}

/** The JSON of a field's value as documents show it; a list reads `[]` where nothing is stored. */
export const fieldSchema = (field: Field): JsonSchema => {
  const { required } = field.constraints
  const single = singleSchema(field)
  const whole: JsonSchema = field.isList ? { type: 'array', items: orNull(single) } : single
  const schema = required ? whole : orNull(whole)
  return {
    ...schema,
    ...(field.default !== undefined && field.default !== null && { default: field.default }),
  }
}

const fieldSchemas = (fields: readonly Field[]): JsonSchema =>
  Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]))

const propertiesOf = ({ schemas }: ContentModel, type: DocumentType): JsonSchema => {
  const declared = type.schemas.flatMap((name) => schemas.get(name) ?? [])
  const entries = declared.flatMap((schema: Schema) =>
    [...schema.fields.values()].map(
      (field) => [`${schema.prefix}:${field.name}`, fieldSchema(field)] as const,
    ),
  )
  return { type: 'object', properties: Object.fromEntries(entries), additionalProperties: true }
}

/** Names of components: `document.File`, `properties.File`. */
const documentName = (type: string): string => `document.${type}`
const propertiesName = (type: string): string => `properties.${type}`

/**
 * The properties of each type's documents, and such a document, as components; instances may have more, of the
 * schemas of their own facets.
 */
export const typeSchemas = (model: ContentModel): { components: JsonSchema; mapping: JsonSchema } => {
  const types = [...model.types.values()]
  const components = Object.fromEntries(
    types.flatMap((type) => [
      [propertiesName(type.name), propertiesOf(model, type)],
      [
        documentName(type.name),
        {
          allOf: [
            refTo('document'),
            {
              type: 'object',
              properties: { type: { const: type.name }, properties: refTo(propertiesName(type.name)) },
            },
          ],
        },
      ],
    ]),
  )
  const mapping = Object.fromEntries(
    types.map(({ name }) => [name, `#/components/schemas/${documentName(name)}`]),
  )
  return { components, mapping }
}
