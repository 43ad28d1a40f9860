import type { Field, Schema } from '../../../../core/model/content-model/index.js'

/** Entity of a stored value, or undefined where it stays as it is. */
export type Expand = (value: string, resolver: NonNullable<Field['resolver']>) => Promise<object | undefined>

type Json = unknown

const refersSomewhere = (field: Field): boolean =>
  field.resolver !== undefined || field.fields.some(refersSomewhere)

// Schemas are immutable, so that derived values can be cached with them.
const referring = new WeakMap<Schema, readonly Field[]>()

const referringFields = (schema: Schema): readonly Field[] => {
  const known = referring.get(schema)
  if (known) return known
  const fields = [...schema.fields.values()].filter(refersSomewhere)
  referring.set(schema, fields)
  return fields
}

/** Ignores positions in lists. */
const anyPosition = (xpath: string): string => xpath.replace(/\/\d+(?=\/|$)/g, '/*')

/**
 * Whether a property is requested: by `properties`, by its xpath, or by the beginning of it, e.g. `dc`,
 * `dc:creator`, `my:items/0/ref` (rest-documents.md §5).
 */
const isAsked = (xpath: string, patterns: readonly string[]): boolean =>
  patterns.some(
    (pattern) =>
      pattern === 'properties' ||
      pattern === xpath ||
      xpath.startsWith(`${pattern}:`) ||
      xpath.startsWith(`${pattern}/`),
  )

const expandSingle = async (field: Field, json: Json, at: Place): Promise<Json> => {
  if (typeof json === 'object' && json !== null && field.type === 'complex') {
    const parts: Record<string, Json> = { ...json }
    for (const sub of field.fields.filter(refersSomewhere))
      parts[sub.name] = await expandValue(sub, parts[sub.name], { ...at, xpath: `${at.xpath}/${sub.name}` })
    return parts
  }
  if (!field.resolver || typeof json !== 'string' || json === '' || !isAsked(at.xpath, at.patterns))
    return json
  return (await at.expand(json, field.resolver)) ?? json
}

/** Values of one list that become entities; those behind them stay as they are stored. */
export const MAX_EXPANDED = 200

type Place = { xpath: string; patterns: readonly string[]; expand: Expand }

const expandValue = async (field: Field, json: Json, at: Place): Promise<Json> => {
  if (!field.isList) return expandSingle(field, json, at)
  if (!Array.isArray(json)) return json
  const inside = { ...at, xpath: `${at.xpath}/*` }
  const first = json.slice(0, MAX_EXPANDED).map((item) => expandSingle(field, item, inside))
  return [...(await Promise.all(first)), ...json.slice(MAX_EXPANDED)]
}

/** Properties with the values that match the patterns replaced by their entities. */
export const expandProperties = async (
  properties: { [key: string]: unknown },
  { schemas, patterns, expand }: { schemas: readonly Schema[]; patterns: readonly string[]; expand: Expand },
): Promise<{ [key: string]: unknown }> => {
  const expanded = { ...properties }
  const canonical = patterns.map(anyPosition)
  for (const schema of schemas) {
    for (const field of referringFields(schema)) {
      const key = `${schema.prefix}:${field.name}`
      if (key in properties)
        expanded[key] = await expandValue(field, properties[key], { xpath: key, patterns: canonical, expand })
    }
  }
  return expanded
}
