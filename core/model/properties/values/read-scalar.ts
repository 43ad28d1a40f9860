import type { Field } from '../../content-model/index.js'
import { dateOf, normalizeDate } from './dates.js'
import { longOf } from './long.js'

export type Scalar = string | number | boolean | null

/**
 * The stored form of one scalar from JSON; undefined when it does not fit (rest-documents.md §4).
 *
 * @param json anything but null
 */
export const readScalar = (field: Field, json: unknown, isNested: boolean): Scalar | undefined => {
  switch (field.type) {
    case 'string':
      return readString(field, json)
    case 'long':
      return readLong(json)
    case 'double':
      return readNumber(json, Number.isFinite)
    case 'boolean':
      return readBoolean(json)
    case 'date':
      return readDate(json, isNested)
    case 'binary':
      return typeof json === 'string' && isBase64(json) ? json : undefined
    case 'blob':
    case 'complex':
      return undefined
  }
}

const readString = (field: Field, json: unknown): string | undefined => {
  if (typeof json === 'string') return isStorable(json) ? json : undefined
  if (typeof json === 'number' || typeof json === 'boolean') return String(json)
  return field.resolver ? referenceOf(field.resolver.kind, json) : undefined
}

/** No store keeps NUL, nor halves of surrogate pairs, which no encoding can write. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text)

const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d{1,4})?$/i

const readNumber = (json: unknown, fits: (value: number) => boolean): number | null | undefined => {
  if (json === '') return null
  const value = typeof json === 'string' && NUMBER.test(json) ? Number(json) : json
  // -0 is read back as 0, which is what it is.
  return typeof value === 'number' && fits(value) ? value + 0 : undefined
}

/** What a number cannot hold exactly has lost digits already, unless it comes as a text. */
const readLong = (json: unknown): number | string | null | undefined => {
  const exact = typeof json === 'string' ? longOf(json) : undefined
  return exact ?? readNumber(json, Number.isSafeInteger)
}

const readBoolean = (json: unknown): boolean | undefined => {
  if (typeof json === 'boolean') return json
  if (typeof json === 'string') return json.toLowerCase() === 'true'
  return Number.isInteger(json) ? json !== 0 : undefined
}

const readDate = (json: unknown, isNested: boolean): string | null | undefined => {
  if (json === '') return null
  if (typeof json === 'string') return normalizeDate(json)
  return isNested && typeof json === 'number' ? dateOf(json) : undefined
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

/** The reference that an expanded entity stands for, as written with `fetch-document`. */
const referenceOf = (kind: 'user' | 'directory' | 'document', json: unknown): string | undefined => {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  const text = (key: string): string | undefined => {
    const value: unknown = Object.hasOwn(json, key) ? Reflect.get(json, key) : undefined
    return typeof value === 'string' && value !== '' && isStorable(value) ? value : undefined
  }
  if (kind !== 'document') return text('id') ?? text('groupname')
  const uid = text('uid')
  const repository = text('repository')
  return uid !== undefined && repository !== undefined ? `${repository}:${uid}` : uid
}
