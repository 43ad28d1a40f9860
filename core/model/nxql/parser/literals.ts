import type { DateLiteral, NumberLiteral } from '../ast.js'
import { invalidValue } from './syntax-error.js'
import type { Token } from './token.js'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}(?::?\d{2})?)?$/
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

export const dateLiteral = (token: Token & { kind: 'string' }, offset: number): DateLiteral => {
  if (!DAY.test(token.value) || !isDay(token.value)) throw invalidValue('date', token.value, token.offset)
  return { kind: 'date', value: token.value, offset }
}

/** A time without a zone is UTC, the zone of everything that is stored. */
export const timestampLiteral = (token: Token & { kind: 'string' }, offset: number): DateLiteral => {
  const [, day = '', time, fraction = '', zone] = INSTANT.exec(token.value) ?? []
  const millis = fraction.slice(0, 3).padEnd(3, '0')
  const value = isDay(day) ? isoInstant(Date.parse(`${day}T${time}.${millis}${zoneOf(zone)}`)) : undefined
  if (value === undefined) throw invalidValue('timestamp', token.value, token.offset)
  return { kind: 'timestamp', value, offset }
}

export const numberLiteral = (token: Token, isNegative: boolean, offset: number): NumberLiteral => {
  const text = `${isNegative ? '-' : ''}${token.text}`
  if (token.kind === 'double') {
    const value = Number(text)
    if (!Number.isFinite(value)) throw invalidValue('number', text, offset)
    return { kind: 'double', text: String(value), offset }
  }
  // Before the length is known to be small, a conversion would cost its square.
  const value = text.length > 20 ? MAX_LONG : BigInt(text)
  if (value >= MAX_LONG || value < -MAX_LONG) throw invalidValue('number', text, offset)
  return { kind: 'integer', text: String(value), offset }
}
