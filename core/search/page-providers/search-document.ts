import type { ContentModel, Field } from '../../model/content-model/index.js'
import type { NxqlParameter } from '../../model/nxql/index.js'
import { fail } from '../../platform/errors/index.js'
import { requireModestJson } from '../../platform/limits/index.js'
import type { PageProviderDefinition } from './page-providers-point.js'

/** Values for the named parameters of a call: texts from the wire, JSON from automation. */
export type NamedValues = Readonly<Record<string, NxqlParameter>>

/**
 * The document that a search form fills in: the values that predicates and aggregates read
 * (nxql-search.md §1.1). A value is found by the name of its property, with or without its schema's prefix.
 */
export type SearchDocument = {
  /** The value of a property; undefined when it is absent, null or blank. */
  get(field: string): NxqlParameter | undefined
  /** A list property's values; a single value is a list of one. */
  list(field: string): readonly NxqlParameter[]
  /** The declared field, when the search document has a type that declares it. */
  fieldOf(field: string): Field | undefined
}

const isBlank = (value: NxqlParameter | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** `["a","b"]` is how forms send a list. */
const parsedList = (name: string, text: string): NxqlParameter[] => {
  if (!text.trim().startsWith('[')) return [text]
  requireModestJson(`${name}:`, text)
  try {
    const parsed: unknown = JSON.parse(text)
    if (Array.isArray(parsed)) return parsed as NxqlParameter[]
  } catch {
    // Reported below, like a text that is JSON but no list.
  }
  throw fail('badRequest', `${name}: '${text}' is not a JSON list`)
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * @param named a property of the search document by `prefix:name`, or by `name` alone when one of its schemas
 * has such a field; any other property is found under the name that was sent.
 */
export const createSearchDocument = (
  { searchDocumentType }: Pick<PageProviderDefinition, 'searchDocumentType'>,
  named: NamedValues,
  model: ContentModel,
): SearchDocument => {
  const schemas = searchDocumentType === undefined ? [] : model.schemasOf(searchDocumentType, [])
  const fieldOf = (field: string): Field | undefined => {
    const resolved = model.resolve(field)
    const isOwn = resolved && schemas.some(({ name }) => name === resolved.schema.name)
    return isOwn ? resolved.field : undefined
  }
  const raw = (field: string): NxqlParameter | undefined => {
    if (Object.hasOwn(named, field)) return named[field]
    const local = localName(field)
    return Object.hasOwn(named, local) ? named[local] : undefined
  }
  const list = (field: string): readonly NxqlParameter[] => {
    const value = raw(field)
    if (value === undefined || value === null || isBlank(value)) return []
    const values = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? parsedList(field, value)
        : [value]
    return values.filter((item) => !isBlank(item))
  }
  return {
    fieldOf,
    list,
    get: (field) => {
      const value = raw(field)
      if (isBlank(value)) return undefined
      return fieldOf(field)?.isList ? [...list(field)] : value
    },
  }
}
