import type { AddedField, IndexShape } from '../../../core/search/index-shape/index.js'
import { MAX_KEYWORD, type Mapping, type Mappings } from './fields.js'

/** These refuse a document whose value does not fit, unless an option says otherwise. */
const MAY_BE_MALFORMED: readonly string[] = ['long', 'double', 'boolean', 'date', 'ip', 'geo_point']

/** No value of an added field stops its document. */
const lenient = (field: AddedField): Mapping => {
  if (MAY_BE_MALFORMED.includes(field.type)) return { ...field, ignore_malformed: true } as Mapping
  const isKeyword = field.type === 'keyword' || field.type === 'wildcard'
  return (isKeyword ? { ignore_above: MAX_KEYWORD, ...field } : field) as Mapping
}

const leniently = (fields: { readonly [name: string]: AddedField }): Mappings =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, lenient(field)]))

const added = (
  mapping: Mapping,
  [name, ...rest]: readonly string[],
  fields: { readonly [name: string]: AddedField },
): Mapping => {
  if (name === undefined)
    return {
      ...mapping,
      fields: { ...('fields' in mapping && mapping.fields), ...leniently(fields) },
    } as Mapping
  if (!('properties' in mapping) || !mapping.properties?.[name]) return mapping
  const properties = { ...mapping.properties, [name]: added(mapping.properties[name], rest, fields) }
  return { ...mapping, properties } as Mapping
}

/** The mappings of properties with the fields that contributions add, without what they leave out. */
export const addedTo = (mappings: Mappings, { fields, excludes }: IndexShape): Mappings => {
  const all = { ...mappings }
  for (const [place, own] of Object.entries(fields)) {
    const [key = '', ...rest] = place.split('/')
    if (all[key]) all[key] = added(all[key], rest, own)
  }
  for (const key of excludes) delete all[key]
  return all
}
