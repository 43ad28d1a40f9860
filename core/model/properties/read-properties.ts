import type { Field, Schema } from '../content-model/index.js'
import { findProperty } from './plan.js'
import type { BlobValue, Properties, PropertyValue } from './types.js'
import { type BlobSource, blobSourceOf } from './values/blob-source.js'
import { type ReadContext, readValue, type Slot, undeserializable } from './values/read-value.js'

/** Turns what the JSON of a blob points at into a stored blob; null when there is none. */
export type OnBlob = (source: BlobSource, place: { xpath: string }) => Promise<BlobValue | null>

export type ReadOptions = {
  /** Without it, a blob in the JSON is refused. */
  onBlob?: OnBlob
  /** `X-NXDocumentJsonLegacy`: empty texts are null. */
  isEmptyStringNull?: boolean
}

/**
 * Reads the `properties` of a document's JSON into stored values (rest-documents.md §4). Properties that
 * none of the schemas has are ignored; null clears. Blobs are passed to `onBlob` one after the other, once
 * all other values are valid.
 *
 * @throws badRequest naming the xpath of the first value of a wrong type.
 */
export const readProperties = async (
  json: unknown,
  { schemas, ...options }: ReadOptions & { schemas: readonly Schema[] },
): Promise<Properties> => {
  if (json === null || json === undefined) return {}
  if (typeof json !== 'object' || Array.isArray(json))
    throw undeserializable({ xpath: 'properties', field: { type: 'complex', isList: false }, json })
  const properties: Properties = {}
  const { context, fillBlobs } = createReader(options)
  for (const [name, value] of Object.entries(json)) {
    const property = findProperty(schemas, name)
    if (!property) continue
    const { key, field } = property
    properties[key] = readValue(field, value, { holder: properties, key, xpath: key, context })
  }
  await fillBlobs()
  return properties
}

/** Reads the JSON value of one field; see `readProperties`. A promise only where it holds blobs. */
export const readProperty = (
  json: unknown,
  { field, xpath, ...options }: ReadOptions & { field: Field; xpath: string },
): PropertyValue | Promise<PropertyValue> => {
  const holder: PropertyValue[] = [null]
  const { context, pending, fillBlobs } = createReader(options)
  const value = readValue(field, json, { holder, key: 0, xpath, context })
  if (pending.length === 0) return value
  holder[0] = value
  return fillBlobs().then(() => holder[0] ?? null)
}

const createReader = ({ onBlob, isEmptyStringNull = false }: ReadOptions) => {
  const pending: { source: BlobSource; slot: Slot }[] = []
  const context: ReadContext = {
    isEmptyStringNull,
    readBlob: (json, slot) => {
      const source = blobSourceOf(json)
      if (!source || !onBlob)
        throw undeserializable({ xpath: slot.xpath, field: { type: 'blob', isList: false }, json })
      pending.push({ source, slot })
      return null
    },
  }
  const fillBlobs = async () => {
    for (const { source, slot } of pending) {
      const blob = await onBlob!(source, { xpath: slot.xpath })
      // A slot's key belongs to its holder: names to maps, positions to lists.
      if (blob) (slot.holder as Record<string | number, PropertyValue>)[slot.key] = blob
    }
  }
  return { context, pending, fillBlobs }
}
