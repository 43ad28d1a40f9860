import { fail } from '../../../platform/errors/index.js'
import type { Field } from '../../content-model/index.js'
import type { BlobValue, PropertyValue } from '../types.js'
import { misfit } from './misfit.js'
import { readScalar } from './read-scalar.js'

/** The slot of a value: blobs are filled in later, because they need I/O. */
export type Slot = {
  holder: { [key: string]: PropertyValue } | PropertyValue[]
  key: string | number
  xpath: string
  context: ReadContext
}

export type ReadContext = {
  /** Called for each value that is not null and belongs to a blob field; what it returns is stored. */
  readBlob(json: unknown, slot: Slot): BlobValue | null
  /** Empty texts are null, as clients of the older JSON reader expect. */
  isEmptyStringNull: boolean
}

/** Elements of one list: each is read, checked and written with its document. */
const MAX_ELEMENTS = 100_000

/** @throws badRequest naming the list. */
export const requireElements = (count: number, xpath: string): void => {
  if (count > MAX_ELEMENTS) throw fail('badRequest', `${xpath}: has more than ${MAX_ELEMENTS} elements`)
}

type Misfit = { xpath: string; field: Pick<Field, 'type' | 'isList'>; json: unknown }

/** Of a value that a field cannot hold; clients know the beginning of the message. */
export const undeserializable = ({ xpath, field, json }: Misfit) =>
  fail('badRequest', `Unable to deserialize property: ${xpath}: it ${misfit(field, json)}`)

/**
 * The stored form of a JSON value. Recursion follows the field, not the value, so hostile nesting is never
 * iterated. Empty lists are null, the one form of an empty list.
 */
export const readValue = (field: Field, json: unknown, slot: Slot): PropertyValue => {
  if (json === null || json === undefined) return null
  if (!field.isList) return readSingle(field, json, slot)
  if (!Array.isArray(json)) throw undeserializable({ xpath: slot.xpath, field, json })
  if (json.length === 0) return null
  requireElements(json.length, slot.xpath)
  const items: PropertyValue[] = new Array(json.length)
  for (let index = 0; index < json.length; index++) {
    const item: unknown = json[index]
    items[index] =
      item === null || item === undefined
        ? null
        : readSingle(field, item, { ...slot, holder: items, key: index, xpath: `${slot.xpath}/${index}` })
  }
  return items
}

const readSingle = (field: Field, json: unknown, slot: Slot): PropertyValue => {
  if (field.type === 'complex') return readComplex(field, json, slot)
  if (field.type === 'blob') return slot.context.readBlob(json, slot)
  const value = readScalar(field, json, slot.xpath.includes('/'))
  if (value === undefined)
    throw undeserializable({ xpath: slot.xpath, field: { type: field.type, isList: false }, json })
  return value === '' && slot.context.isEmptyStringNull ? null : value
}

/** Replaces the whole value: sub-fields that are not sent are null, and left out. */
const readComplex = (field: Field, json: unknown, slot: Slot): PropertyValue => {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw undeserializable({ xpath: slot.xpath, field: { type: 'complex', isList: false }, json })
  const value: { [key: string]: PropertyValue } = {}
  for (const sub of field.fields) {
    if (!Object.hasOwn(json, sub.name)) continue
    const place = { ...slot, holder: value, key: sub.name, xpath: `${slot.xpath}/${sub.name}` }
    const read = readValue(sub, Reflect.get(json, sub.name), place)
    if (read !== null) value[sub.name] = read
  }
  return value
}
