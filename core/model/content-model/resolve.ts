import { BLOB_FIELDS } from './fields.js'
import type { Field, ResolvedField, Schema } from './types.js'

/** Xpaths come from callers: neither their length nor their number may cost memory without bound. */
const MAX_XPATH_LENGTH = 1000
const MAX_CACHED_XPATHS = 4096

type Property = { schema: Schema; field: Field; key: string }

/** Builds `ContentModel.resolve`. Schemas earlier in the map win a bare name that several have. */
export const createResolver = (
  schemas: ReadonlyMap<string, Schema>,
): ((xpath: string) => ResolvedField | undefined) => {
  const properties = propertiesByName(schemas)
  // Expressions read properties under the watchdog, which stops this thread anywhere: setting a map is one step, but
  // `lru-cache` was left broken by three of ten stops in a loop of sets.
  const cache = new Map<string, ResolvedField | null>()
  return (xpath) => {
    const cached = cache.get(xpath)
    if (cached !== undefined) return cached ?? undefined
    if (xpath.length > MAX_XPATH_LENGTH) return undefined
    const resolved = resolve(properties, xpath)
    if (cache.size >= MAX_CACHED_XPATHS) cache.clear()
    cache.set(xpath, resolved ?? null)
    return resolved
  }
}

const propertiesByName = (schemas: ReadonlyMap<string, Schema>): ReadonlyMap<string, Property> => {
  const prefixed = new Map<string, Property>()
  const bare = new Map<string, Property>()
  for (const schema of schemas.values()) {
    for (const field of schema.fields.values()) {
      const property = { schema, field, key: `${schema.prefix}:${field.name}` }
      prefixed.set(property.key, property)
      if (!schema.hasPrefix && !bare.has(field.name)) bare.set(field.name, property)
    }
  }
  return new Map([...bare, ...prefixed])
}

const resolve = (properties: ReadonlyMap<string, Property>, xpath: string): ResolvedField | undefined => {
  // `files/item[0]/file` is the older spelling of `files/0/file`.
  const [head = '', ...rest] = xpath
    .split('/')
    .map((step) => /^[^[\]]+\[(\d+|\*\d*)\]$/.exec(step)?.[1] ?? step)
  const property = properties.get(head)
  if (!property) return undefined
  let field = property.field
  const steps: (string | number)[] = []
  for (const text of rest) {
    const next = below(field, text)
    if (!next) return undefined
    steps.push(next.step)
    field = next.field
  }
  return { ...property, field, steps, xpath: [property.key, ...steps].join('/') }
}

const below = (field: Field, text: string): { step: string | number; field: Field } | undefined => {
  if (field.isList) {
    const item = { ...field, isList: false }
    if (/^\d{1,9}$/.test(text)) return { step: Number(text), field: item }
    return /^\*\d{0,9}$/.test(text) ? { step: text, field: item } : undefined
  }
  const nested =
    field.type === 'blob' ? BLOB_FIELDS.get(text) : field.fields.find(({ name }) => name === text)
  return nested && { step: nested.name, field: nested }
}
