import type { estypes } from '@elastic/elasticsearch'
import type { ContentModel, Field, FieldType } from '../../../core/model/content-model/index.js'

export type Mapping = estypes.MappingProperty
export type Mappings = { [field: string]: Mapping }

/**
 * Longest text that is found by its value, in characters: a term may have 32,766 bytes. Of longer ones the words alone
 * are found.
 */
export const MAX_KEYWORD = 8_191

export const KEYWORD: Mapping = { type: 'keyword', ignore_above: MAX_KEYWORD }

const STRING: Mapping = {
  ...KEYWORD,
  fields: { fulltext: { type: 'text', analyzer: 'standard', norms: false } },
}

/** Values that do not fit are left out of the index, and never stop their document. */
const SCALARS: { readonly [type in Exclude<FieldType, 'blob' | 'complex'>]: Mapping } = {
  string: STRING,
  long: { type: 'long', ignore_malformed: true },
  double: { type: 'double', ignore_malformed: true },
  boolean: { type: 'boolean', ignore_malformed: true },
  date: { type: 'date', ignore_malformed: true },
  binary: { type: 'keyword', index: false, doc_values: false },
}

const BLOB: Mappings = {
  name: STRING,
  'mime-type': KEYWORD,
  encoding: KEYWORD,
  digestAlgorithm: KEYWORD,
  digest: KEYWORD,
  key: KEYWORD,
  length: SCALARS.long,
}

const mappingOf = ({ type, fields }: Field): Mapping => {
  if (type === 'blob') return { type: 'object', dynamic: false, properties: BLOB }
  if (type !== 'complex') return SCALARS[type]
  return { type: 'object', dynamic: false, properties: mappingsOf(fields) }
}

const mappingsOf = (fields: readonly Field[]): Mappings =>
  Object.fromEntries(fields.map((field) => [field.name, mappingOf(field)]))

/**
 * The mapping of every property of a content model, by its key (`dc:title`). Lists are mapped as their elements are.
 * Of two schemas that share a prefix and a name, the field that an xpath resolves to is mapped.
 */
export const propertyMappings = (model: ContentModel): Mappings => {
  const keys = [...model.schemas.values()].flatMap(({ prefix, fields }) =>
    [...fields.keys()].map((name) => `${prefix}:${name}`),
  )
  return Object.fromEntries(
    keys.flatMap((key) => {
      const resolved = model.resolve(key)
      return resolved ? [[key, mappingOf(resolved.field)]] : []
    }),
  )
}
