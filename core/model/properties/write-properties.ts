import type { Field, Schema } from '../content-model/index.js'
import { fileBeside, planOf } from './plan.js'
import type { BlobValue, Properties, PropertyValue } from './types.js'
import { isBlobValue } from './values/blob-value.js'
import { exactLong } from './values/long.js'

/** The address from which the blob at an xpath is downloaded. */
export type BlobUrl = (xpath: string, blob: BlobValue) => string

/**
 * The wire form of the properties of some schemas (rest-documents.md §4): every field is there, lists that
 * are null read `[]`, complex values have all their sub-fields, a blob's length is text.
 */
export const writeProperties = (
  properties: Properties,
  { schemas, blobUrl }: { schemas: readonly Schema[]; blobUrl: BlobUrl },
): Properties => {
  const json: Properties = {}
  for (const schema of schemas) {
    for (const { key, field, isPlain, file } of planOf(schema).properties) {
      const value = (file && nameOf(properties[`${schema.prefix}:${file}`])) ?? properties[key] ?? null
      json[key] = isPlain
        ? (value ?? (field.isList ? [] : null))
        : writeValue(field, value, { xpath: key, blobUrl, isShown: true })
    }
  }
  return json
}

const nameOf = (value: PropertyValue | undefined): string | null =>
  value !== undefined && isBlobValue(value) ? value.name : null

/** @property isShown it is written as JSON for a client next, and nothing else is done to it. */
type Place = { xpath: string; blobUrl: BlobUrl | undefined; isShown?: boolean }

/** The wire form of one value; files have no `data` when no address is available. */
export const writeProperty = (field: Field, value: PropertyValue, place: Place): PropertyValue =>
  writeValue(field, value, place)

const writeValue = (field: Field, value: PropertyValue, place: Place): PropertyValue => {
  if (!field.isList) return writeSingle(field, value, place)
  if (!Array.isArray(value)) return []
  return value.map((item, index) => writeSingle(field, item, { ...place, xpath: `${place.xpath}/${index}` }))
}

const writeSingle = (field: Field, value: PropertyValue, place: Place): PropertyValue => {
  if (field.type === 'complex') return writeComplex(field, value, place)
  if (field.type === 'long' && place.isShown) return exactLong(value)
  if (field.type !== 'blob' || value === null) return value
  // The value of a blob field has come through `readProperties` or `setProperty`.
  const blob = value as BlobValue
  return {
    name: blob.name,
    'mime-type': blob['mime-type'],
    encoding: blob.encoding,
    digestAlgorithm: blob.digestAlgorithm,
    digest: blob.digest,
    length: String(blob.length),
    ...(place.blobUrl && { data: place.blobUrl(place.xpath, blob) }),
  }
}

const writeComplex = (field: Field, value: PropertyValue, place: Place): PropertyValue => {
  const stored = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const json: { [key: string]: PropertyValue } = {}
  for (const sub of field.fields) {
    const own = Object.hasOwn(stored, sub.name) ? (stored[sub.name] ?? null) : null
    const file = fileBeside(sub, field.fields)
    const part = (file && nameOf(stored[file])) ?? own
    json[sub.name] = writeValue(sub, part, { ...place, xpath: `${place.xpath}/${sub.name}` })
  }
  return json
}
