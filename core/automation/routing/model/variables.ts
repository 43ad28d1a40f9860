import { z } from 'zod'
import { normalizeDate, type PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'

/** Kinds of values that a variable of a route holds. */
const TYPES = ['string', 'integer', 'double', 'boolean', 'date', 'list', 'json'] as const

export const variable = z.strictObject({
  type: z.enum(TYPES).default('string').describe('Kind of its values; `json` takes any'),
  default: z.json().optional().describe('Its value when a route starts; absent: null, or an empty list'),
  internal: z.boolean().default(false).describe('true: its chains alone set it, and no caller'),
})

export type Variable = z.output<typeof variable>
export type Variables = { [name: string]: PropertyValue }
export type DeclaredVariables = { [name: string]: Variable }

/** A value as its kind reads it; undefined for one that the kind cannot take. Clients of the reference send text. */
const READERS: { [type in Variable['type']]: (value: PropertyValue) => PropertyValue | undefined } = {
  string: (value) => (typeof value === 'object' ? undefined : String(value)),
  integer: (value) => (value !== '' && Number.isInteger(Number(value)) ? Number(value) : undefined),
  double: (value) => (value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined),
  boolean: (value) => (['true', 'false'].includes(String(value)) ? String(value) === 'true' : undefined),
  date: (value) => (typeof value === 'string' ? normalizeDate(value) : undefined),
  list: (value) => {
    if (Array.isArray(value)) return value
    return typeof value === 'string' ? (value === '' ? [] : value.split(',')) : undefined
  },
  json: (value) => value,
}

/**
 * A value of a variable, as its kind stores it.
 *
 * @throws badRequest naming the variable that cannot hold the value.
 */
const variableValue = (name: string, { type }: Variable, value: PropertyValue): PropertyValue => {
  if (value === null) return null
  const read = READERS[type](value)
  if (read === undefined) throw fail('badRequest', `variables.${name}: expected a value of type ${type}`)
  return read
}

/** What variables hold before anybody sets them. */
export const initialVariables = (declared: DeclaredVariables): Variables =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { type, default: given }]) => [
      name,
      (given as PropertyValue | undefined) ?? (type === 'list' ? [] : null),
    ]),
  )

/** Each move of a route writes its variables, and those of a call travel through Temporal. */
const MAX_BYTES = 1024 * 1024

/** @throws badRequest for more variables than a mebibyte of JSON. */
export const requireSmall = (variables: Variables): void => {
  if (Buffer.byteLength(JSON.stringify(variables)) > MAX_BYTES)
    throw fail('badRequest', `variables: are larger than ${MAX_BYTES} bytes of JSON`)
}

/**
 * The given values of declared variables; others are left out.
 *
 * @throws badRequest naming a variable that cannot hold its value, and for more than a mebibyte of JSON.
 */
export const givenVariables = (declared: DeclaredVariables, given: Variables): Variables => {
  const taken = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      Object.hasOwn(declared, name) ? [[name, variableValue(name, declared[name]!, value)]] : [],
    ),
  )
  requireSmall(taken)
  return taken
}

/** The same for values that a caller gives. @throws badRequest for a variable that chains alone set, too. */
export const callersVariables = (declared: DeclaredVariables, given: Variables): Variables => {
  for (const name of Object.keys(given))
    if (Object.hasOwn(declared, name) && declared[name]!.internal)
      throw fail('badRequest', `variables.${name}: is set by the chains of the workflow alone`)
  return givenVariables(declared, given)
}
