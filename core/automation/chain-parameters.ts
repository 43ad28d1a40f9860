import type { PropertyValue } from '../documents/index.js'
import { fail } from '../errors/index.js'
import type { ChainParameter } from './chain.js'
import { CHAIN_PARAMETERS } from './scope.js'
import type { Variables } from './values.js'

/** The parameters of the chain that a run is in. */
export const chainParameters = (variables: Variables): { [name: string]: PropertyValue } => {
  const current = variables[CHAIN_PARAMETERS]
  return current?.type === 'json' &&
    current.value &&
    typeof current.value === 'object' &&
    !Array.isArray(current.value)
    ? current.value
    : {}
}

const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(text)
const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))
const isBoolean = (text: string): boolean => /^(true|false)$/i.test(text)
const truth = (text: string): boolean => text.toLowerCase() === 'true'

/** Types that a text stands for; a value of any other type is what it is. */
const READERS: {
  readonly [type: string]: { is(text: string): boolean; read(text: string): PropertyValue; what: string }
} = {
  integer: { is: isWhole, read: Number, what: 'a whole number' },
  long: { is: isWhole, read: Number, what: 'a whole number' },
  float: { is: isNumber, read: Number, what: 'a number' },
  double: { is: isNumber, read: Number, what: 'a number' },
  boolean: { is: isBoolean, read: truth, what: 'true or false' },
}

/** Command lines and defaults say numbers and truth values as text. */
const asDeclared = ({ name, type }: ChainParameter, value: PropertyValue): PropertyValue => {
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  if (!reader || typeof value !== 'string') return value
  if (!reader.is(value))
    throw fail('badRequest', `Parameter ${name}: ${reader.what} is expected, not ${JSON.stringify(value)}`)
  return reader.read(value)
}

/**
 * Values for a chain's declared parameters: what the caller gives, else the first declared value; text is read as the
 * declared type.
 *
 * @throws badRequest naming a required parameter that has neither, or one that is not of its type.
 */
export const withDefaults = (
  declared: readonly ChainParameter[],
  given: { [name: string]: PropertyValue },
): { [name: string]: PropertyValue } => {
  const values = { ...given }
  for (const parameter of declared) {
    const { name, isRequired } = parameter
    const value = values[name] ?? parameter.values[0]
    if (value !== undefined) values[name] = asDeclared(parameter, value)
    else if (isRequired) throw fail('badRequest', `Parameter ${name} is required`)
  }
  return values
}
