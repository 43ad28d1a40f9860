import type { DateLiteral, NumberLiteral } from '../ast.js'
import { invalidValue } from './syntax-error.js'
import type { Token } from './token.js'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}(?::?\d{2})?)?$/
const INTEGER = /^-?(?:0|[1-9]\d*)$/
const DOUBLE = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const MAX_LONG = 2n ** 63n

/** True for a day that the calendar has: JavaScript itself reads 30 February as 2 March. */
const isDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** ISO 8601 in UTC with milliseconds; undefined outside the years 0000 to 9999, which do not sort as text. */
export const isoInstant = (time: number): string | undefined => {
  if (Number.isNaN(time) || Math.abs(time) > 8.64e15) return undefined
  const iso = new Date(time).toISOString()
  return iso.length === 24 ? iso : undefined
}

const zoneOf = (zone: string | undefined): string => {
  if (zone === undefined) return 'Z'
  if (zone.length === 3) return `${zone}:00`
  return zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
}

/** The date that a text writes, undefined for any other text. */
export const dateOf = (text: string, offset: number): DateLiteral | undefined =>
  DAY.test(text) && isDay(text) ? { kind: 'date', value: text, offset } : undefined

/** The instant that a text writes, undefined for any other text. Without a zone it is UTC, as is all that is stored. */
export const timestampOf = (text: string, offset: number): DateLiteral | undefined => {
  const [, day = '', time, fraction = '', zone] = INSTANT.exec(text) ?? []
  const millis = fraction.slice(0, 3).padEnd(3, '0')
  const value = isDay(day) ? isoInstant(Date.parse(`${day}T${time}.${millis}${zoneOf(zone)}`)) : undefined
  return value === undefined ? undefined : { kind: 'timestamp', value, offset }
}

/** The number that a text writes, undefined for any other text and outside of what is stored. */
export const numberOf = (text: string, offset: number): NumberLiteral | undefined => {
  if (!INTEGER.test(text)) {
    const value = DOUBLE.test(text) ? Number(text) : Number.NaN
    return Number.isFinite(value) ? { kind: 'double', text: String(value), offset } : undefined
  }
  // Before the length is known to be small, a conversion would cost its square.
  const value = text.length > 20 ? MAX_LONG : BigInt(text)
  if (value >= MAX_LONG || value < -MAX_LONG) return undefined
  return { kind: 'integer', text: String(value), offset }
}

type StringToken = Token & { kind: 'string' }

export const dateLiteral = (token: StringToken, offset: number): DateLiteral => {
  const literal = dateOf(token.value, offset)
  if (!literal) throw invalidValue('date', token.value, token.offset)
  return literal
}

export const timestampLiteral = (token: StringToken, offset: number): DateLiteral => {
  const literal = timestampOf(token.value, offset)
  if (!literal) throw invalidValue('timestamp', token.value, token.offset)
  return literal
}

export const numberLiteral = (token: Token, isNegative: boolean, offset: number): NumberLiteral => {
  const text = `${isNegative ? '-' : ''}${token.text}`
  const literal = numberOf(text, offset)
  if (!literal) throw invalidValue('number', text, offset)
  return literal
}
