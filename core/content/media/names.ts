import { extname } from 'node:path'
import { type BlobValue, isBlobValue, type PropertyValue } from '../../model/properties/index.js'
import type { MediaResult } from './tasks.js'

/**
 * What stands for the name of a file in what is made of it, whole and without its extension: documents that have the
 * same bytes under other names share the rest.
 */
export const FILE_NAME = '{name}'
export const BASE_NAME = '{base}'

/** Of items of `picture:views` and `vid:storyboard`. */
const NAMED_FIELDS: ReadonlySet<string> = new Set(['filename', 'comment'])

/** A made file that is named as the one that it was made of, with its own extension. */
export const namedAsSource = (blob: BlobValue): BlobValue => ({
  ...blob,
  name: `${BASE_NAME}${extname(blob.name ?? '')}`,
})

type Names = (text: string) => string

const namesOf = ({ name }: Pick<BlobValue, 'name'>): Names => {
  const whole = name ?? 'file'
  const base = whole.replace(/\.[^.]*$/, '') || whole
  return (text) => text.replace(/\{(name|base)\}/g, (_, part) => (part === 'name' ? whole : base))
}

const named = (value: PropertyValue, names: Names): PropertyValue => {
  if (Array.isArray(value)) return value.map((item) => named(item, names))
  if (typeof value !== 'object' || value === null) return value
  if (isBlobValue(value)) return { ...value, name: value.name === null ? null : names(value.name) }
  const fields = Object.entries(value).map(([field, inner]) => [
    field,
    NAMED_FIELDS.has(field) && typeof inner === 'string' ? names(inner) : named(inner, names),
  ])
  return Object.fromEntries(fields)
}

const namedAll = (values: { [field: string]: PropertyValue }, names: Names) =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, named(value, names)]))

/** What was made, with the names of one document's file. */
export const withNames = (result: MediaResult, source: Pick<BlobValue, 'name'>): MediaResult => {
  const names = namesOf(source)
  return {
    ...result,
    ...(result.properties && { properties: namedAll(result.properties, names) }),
    ...(result.transcoded && { transcoded: namedAll(result.transcoded, names) }),
  }
}
