import type { Field, Schema } from '../content-model/index.js'
import type { Properties, PropertyValue } from './types.js'
import { normalizeDate } from './values/dates.js'

/** A property of a schema, with what hot paths would otherwise derive for each document. */
export type PlannedProperty = {
  key: string
  field: Field
  schema: Schema
  /** Stored and wire value are the same but for null: neither blob, complex nor an integer, whose digits may be text. */
  isPlain: boolean
  isConstrained: boolean
  /** Itself or a field below it refers to something that must exist. */
  isReference: boolean
  /** Field beside it with the file whose name it is; see `fileBeside`. */
  file: string | undefined
}

export type SchemaPlan = {
  properties: readonly PlannedProperty[]
  /** By `prefix:field`, and by bare field when the schema has no prefix. */
  byName: ReadonlyMap<string, PlannedProperty>
  constrained: readonly PlannedProperty[]
  /** Those of which a value, or one below it, must match a regular expression. */
  patterned: readonly PlannedProperty[]
  references: readonly PlannedProperty[]
  defaults: Properties
}

// Schemas are immutable values, so values derived from one never change and are garbage collected with it.
const plans = new WeakMap<Schema, SchemaPlan>()

export const planOf = (schema: Schema): SchemaPlan => {
  const known = plans.get(schema)
  if (known) return known
  const plan = buildPlan(schema)
  plans.set(schema, plan)
  return plan
}

/**
 * The file that a text `filename` names: the only file among its neighbours. Clients of 7.4 read a file's name
 * there (rest-documents.md §4).
 */
export const fileBeside = (
  { name, type, isList }: Field,
  neighbours: readonly Field[],
): string | undefined => {
  if (name !== 'filename' || type !== 'string' || isList) return undefined
  const [file, ...others] = neighbours.filter((field) => field.type === 'blob' && !field.isList)
  return others.length === 0 ? file?.name : undefined
}

const buildPlan = (schema: Schema): SchemaPlan => {
  const fields = [...schema.fields.values()]
  const properties = fields.map((field) => ({
    key: `${schema.prefix}:${field.name}`,
    field,
    schema,
    isPlain: !['blob', 'complex', 'long'].includes(field.type),
    isConstrained: isConstrained(field),
    isReference: isReference(field),
    file: fileBeside(field, fields),
  }))
  const byName = new Map(properties.map((property) => [property.key, property]))
  if (!schema.hasPrefix) for (const property of properties) byName.set(property.field.name, property)
  const defaults: Properties = {}
  for (const { key, field } of properties) {
    // The schemas extension point checks that a default fits its field.
    if (field.default !== undefined) defaults[key] = storedDefault(field)
  }
  return {
    properties,
    byName,
    constrained: properties.filter((property) => property.isConstrained),
    patterned: properties.filter(({ field }) => hasPattern(field)),
    references: properties.filter((property) => property.isReference),
    defaults,
  }
}

/** A default that is a day means its first instant. */
const storedDefault = ({ type, default: fallback }: Field): PropertyValue => {
  const stored = (value: unknown): PropertyValue =>
    type === 'date' ? (normalizeDate(String(value)) ?? null) : (value as PropertyValue)
  return Array.isArray(fallback) ? fallback.map(stored) : stored(fallback)
}

const isReference = ({ resolver, fields }: Field): boolean =>
  resolver?.isChecked === true || fields.some(isReference)

const hasPattern = ({ constraints, fields }: Field): boolean =>
  constraints.pattern !== undefined || fields.some(hasPattern)

const isConstrained = (field: Field): boolean =>
  Object.values(field.constraints).some((value) => value !== undefined && value !== false) ||
  field.fields.some(isConstrained)

/** The property of a name in a request; undefined when the schemas have none. */
export const findProperty = (schemas: readonly Schema[], name: string): PlannedProperty | undefined => {
  for (const schema of schemas) {
    const property = planOf(schema).byName.get(name)
    if (property) return property
  }
  return undefined
}

/** Values that a new document starts with. */
export const defaultProperties = (schemas: readonly Schema[]): Properties => {
  const defaults: Properties = {}
  for (const schema of schemas) Object.assign(defaults, planOf(schema).defaults)
  return structuredClone(defaults)
}
