import type { JsonSchema } from './json-schema.js'

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const resolved = (schema: JsonSchema, root: JsonSchema): JsonSchema | undefined => {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  if (!$ref.startsWith('#/')) return undefined
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (isSchema(at) ? at[key] : undefined), root)
  return isSchema(found) ? found : undefined
}

/** The types of what fits a schema; undefined where it does not say. */
const typesOf = (schema: JsonSchema, root: JsonSchema): readonly string[] | undefined => {
  const { type, anyOf } = resolved(schema, root) ?? {}
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type
  if (!Array.isArray(anyOf)) return undefined
  const inner = anyOf.map((one: JsonSchema) => typesOf(one, root))
  return inner.every((types) => types !== undefined) ? [...new Set(inner.flat())] : undefined
}

/** Texts that are written down, as one list of them. */
const asOneEnum = (schemas: readonly JsonSchema[]): JsonSchema | undefined => {
  const values = schemas.flatMap((schema) =>
    'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [undefined],
  )
  return values.includes(undefined) ? undefined : { enum: values }
}

/** Objects that are distinguished by a key which only one of them requires: `grant` or `deny`. */
const byKey = (schemas: readonly JsonSchema[]): JsonSchema | undefined => {
  const keys = schemas.map(({ required }, index) =>
    (Array.isArray(required) ? required : []).find((key) =>
      schemas.every(
        ({ properties }, other) => other === index || !(isSchema(properties) && key in properties),
      ),
    ),
  )
  if (keys.includes(undefined)) return undefined
  return schemas.reduceRight<JsonSchema>(
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    (otherwise, schema, index) => ({ if: { required: [keys[index]] }, then: schema, else: otherwise }),
    { anyOf: keys.map((key) => ({ required: [key] })) },
  )
}

const isBare = (schema: JsonSchema): boolean => Object.keys(schema).every((key) => key === 'type')

const ofOneType = (schemas: readonly JsonSchema[]): JsonSchema => {
  const [first = {}] = schemas
  if (schemas.length === 1) return first
  // One that takes every value of the type takes those of the others as well.
  if (schemas.some(isBare)) return {}
  return asOneEnum(schemas) ?? byKey(schemas) ?? { anyOf: schemas }
}

/** Alternatives as conditions, one for each type of value. */
const conditionsOf = (alternatives: readonly JsonSchema[], root: JsonSchema): JsonSchema | undefined => {
  const typed = alternatives.map((schema) => ({ schema, types: typesOf(schema, root) }))
  if (typed.some(({ types }) => types === undefined)) return undefined
  const all = [...new Set(typed.flatMap(({ types }) => types ?? []))]
  // One number is of both types.
  if (all.includes('integer') && all.includes('number')) return undefined
  const conditions = all.flatMap((type): JsonSchema[] => {
    const schema = ofOneType(typed.filter(({ types }) => types?.includes(type)).map((one) => one.schema))
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return isBare(schema) ? [] : [{ if: { type }, then: schema }]
  })
  return { type: all.length === 1 ? all[0] : all, ...(conditions.length > 0 && { allOf: conditions }) }
}

/**
 * The same schema with alternatives by type (a text or a list) written as conditions. Of what fits none, a validator
 * reports the one thing that is wrong with the alternative that was meant, in place of a reason for each.
 */
export const byType = (schema: JsonSchema): JsonSchema => {
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten)
    if (!isSchema(value)) return value
    const { anyOf, ...others } = value
    const rest = Object.fromEntries(Object.entries(others).map(([key, inner]) => [key, rewritten(inner)]))
    if (!Array.isArray(anyOf)) return 'anyOf' in value ? { ...rest, anyOf: rewritten(anyOf) } : rest
    const alternatives = anyOf.map(rewritten) as JsonSchema[]
    const isFree = !('type' in rest) && !('allOf' in rest)
    const conditions = isFree ? conditionsOf(alternatives, schema) : undefined
    return conditions ? { ...rest, ...conditions } : { ...rest, anyOf: alternatives }
  }
  return rewritten(schema) as JsonSchema
}
