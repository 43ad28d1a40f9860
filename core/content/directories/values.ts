import { hashPassword, isHashed } from '../../access/identity/index.js'
import type { Field } from '../../model/content-model/index.js'
import {
  coerceText,
  type Properties,
  type PropertyValue,
  readProperty,
} from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { Directory, DirectoryEntry } from './types.js'

const LIST_SEPARATOR = '|'

/** The value of a field that a CSV text means; nothing is null. */
export const textValue = async (field: Field, text: string): Promise<PropertyValue> => {
  if (text === '') return null
  if (!field.isList) return coerceText(text, { field, xpath: field.name })
  return readProperty(text.split(LIST_SEPARATOR), { field, xpath: field.name })
}

/**
 * The values of a directory's fields in JSON or text, as they are stored; fields that the schema does not have
 * are ignored, passwords are hashed, and an empty password counts as absent.
 *
 * @throws badRequest naming the first field whose value does not fit.
 */
export const readValues = async (
  { schema, passwordField }: Directory,
  input: { readonly [field: string]: unknown },
): Promise<Properties> => {
  const values: Properties = {}
  for (const field of schema.fields.values()) {
    if (!Object.hasOwn(input, field.name)) continue
    const value = await readProperty(input[field.name], { field, xpath: field.name })
    if (field.name !== passwordField) values[field.name] = value
    else if (typeof value === 'string' && value !== '')
      values[field.name] = isHashed(value) ? value : await hashPassword(value)
  }
  return values
}

/** The id among an entry's values; undefined when there is none. */
export const idOf = (
  { idField }: Directory,
  values: { readonly [field: string]: unknown },
): string | undefined => {
  const id = values[idField]
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' && id.trim() !== '' ? id : undefined
}

/**
 * A whole entry: the values sent over the defaults of the schema, under the directory's fixed ones.
 *
 * @throws badRequest when a value does not fit or there is no id.
 */
export const entryOf = async (
  directory: Directory,
  input: { readonly [field: string]: unknown },
): Promise<DirectoryEntry> => {
  const values = await readValues(directory, input)
  const id = idOf(directory, values)
  if (id === undefined) throw fail('badRequest', `properties.${directory.idField}: an entry needs an id`)
  const properties: Properties = {}
  for (const field of directory.schema.fields.values()) {
    const value = values[field.name] ?? (field.default as PropertyValue | undefined) ?? null
    if (value !== null) properties[field.name] = value
  }
  return { id, properties: { ...properties, ...directory.filters } }
}
