import { isBlobValue, kindOf, normalizeDate, type PropertyValue } from '../../../model/properties/index.js'
import { didYouMean } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'
import { shortened } from '../../../platform/limits/index.js'
import { commaList, MAX_LISTED_TEXTS } from '../values/named-lists.js'
import { parsePropertiesText } from '../values/properties-text.js'
import { numberOf, truthValue, wholeNumber } from '../values/scalars.js'
import type { Value, Variables } from '../values/values.js'
import type { ChainDefinition, ChainParameter } from './chain.js'

/** Variables that are always there under their own name: the parameters of the running chain. */
export const CHAIN_PARAMETERS = 'ChainParameters'

type Parameters = { [name: string]: PropertyValue }

/** A map among resolved parameters, empty when it is absent. */
export const mapOf = (value: unknown): Parameters =>
  value && typeof value === 'object' && !Array.isArray(value) ? (value as Parameters) : {}

/** The parameters of the chain that a run is in. */
export const chainParameters = (variables: Variables): Parameters => {
  const current = variables[CHAIN_PARAMETERS]
  return current?.type === 'json' ? mapOf(current.value) : {}
}

type Reader = { read(value: PropertyValue, name: string): PropertyValue | undefined; what: string }

const isMap = (value: PropertyValue): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isBlobValue(value)

/** A value that is no text is what it is. */
const ofText =
  (read: (text: string) => PropertyValue | undefined): Reader['read'] =>
  (value) =>
    typeof value === 'string' ? read(value) : value

const isScalar = (value: PropertyValue): boolean => value !== null && typeof value !== 'object'

/** Undefined for what cannot be read. A list or a document that is named by a text is looked up by the step that takes it. */
const READERS: { readonly [type: string]: Reader } = {
  // Chains of the reference platform declare lists, maps and documents as texts, too: they stay what they are.
  string: { read: (value) => (isScalar(value) ? String(value) : value), what: 'a text' },
  integer: { read: ofText(wholeNumber), what: 'a whole number' },
  long: { read: ofText(wholeNumber), what: 'a whole number' },
  float: { read: ofText(numberOf), what: 'a number' },
  double: { read: ofText(numberOf), what: 'a number' },
  boolean: { read: ofText(truthValue), what: 'true or false' },
  date: {
    read: (value) => {
      if (value === '') return value
      return typeof value === 'string' && normalizeDate(value.trim()) !== undefined ? value : undefined
    },
    what: 'an ISO 8601 date',
  },
  stringlist: {
    read: (value, name) => {
      if (Array.isArray(value)) return value.every(isScalar) ? value.map(String) : undefined
      if (!isScalar(value)) return undefined
      return commaList(String(value), { name: `Parameter ${name}`, limit: MAX_LISTED_TEXTS })
    },
    what: 'a list of texts',
  },
  list: {
    read: (value) => (Array.isArray(value) || typeof value === 'string' ? value : undefined),
    what: 'a list',
  },
  properties: {
    read: (value, name) => {
      if (typeof value === 'string') return parsePropertiesText(value, name)
      return isMap(value) ? value : undefined
    },
    what: 'a map or lines of name=value',
  },
  map: { read: (value) => (isMap(value) ? value : undefined), what: 'a map' },
}

const MAX_QUOTED = 60

const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${shortened(text, MAX_QUOTED)}…` : text)

/** Whether a message may quote what is given as a parameter: anybody's value may be a secret, by whatever name. */
type Quotable = (name: string) => boolean

/** @throws badRequest with what the value is, and with a text itself only where it may be quoted. */
const asDeclared = (
  { name, type }: ChainParameter,
  value: PropertyValue,
  isQuotable: Quotable,
): PropertyValue => {
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  if (!reader) return value
  const read = reader.read(value, name)
  if (read !== undefined) return read
  const given = typeof value === 'string' && isQuotable(name) ? quoted(value) : kindOf(value)
  throw fail('badRequest', `Parameter ${name}: ${reader.what} is expected, not ${given}`)
}

/** What is given instead of a parameter, when that is probably a typo. */
const typoOf = (
  name: string,
  { declared, given }: { declared: readonly ChainParameter[]; given: Parameters },
): string => {
  const names = new Set(declared.map((parameter) => parameter.name))
  const typo = didYouMean(
    name,
    Object.keys(given).filter((other) => !names.has(other)),
  )
  return typo === undefined ? '' : `: "${typo}", which is given, is none of this chain`
}

/**
 * Values for a chain's declared parameters: what the caller gives, else the first declared value, read as the
 * declared type.
 *
 * @throws badRequest naming a required parameter that has neither, or one that is not of its type.
 */
export const withDefaults = (
  declared: readonly ChainParameter[],
  given: Parameters,
  isQuotable: Quotable = () => false,
): Parameters => {
  const values = { ...given }
  for (const parameter of declared) {
    const { name, isRequired } = parameter
    const value = values[name] ?? parameter.values[0]
    if (value !== undefined) values[name] = asDeclared(parameter, value, isQuotable)
    else if (isRequired)
      throw fail('badRequest', `Parameter ${name} is required${typoOf(name, { declared, given })}`)
  }
  return values
}

/**
 * Looks at what a caller sends to a chain, before anything of it is kept. Only here a text that is refused is quoted:
 * it is the caller's own.
 *
 * @throws badRequest as `withDefaults` does.
 */
export const checkSentParameters = (
  { params }: Pick<ChainDefinition, 'params'>,
  sent: Parameters,
  secrets: readonly string[],
): void => {
  withDefaults(params, sent, (name) => !secrets.includes(name))
}

/** Parameters as the steps of a chain find them in a variable. @throws badRequest as `withDefaults` does. */
export const parametersValue = ({ params }: Pick<ChainDefinition, 'params'>, given: Parameters): Value => ({
  type: 'json',
  value: withDefaults(params, given),
})

/**
 * The variables that a chain begins with. A call of an operation, which is a chain of one step with literal values,
 * keeps those that it was sent with.
 *
 * @throws badRequest as `withDefaults` does.
 */
export const startVariables = (
  chain: Pick<ChainDefinition, 'params' | 'steps'>,
  { params, variables }: { params: Parameters; variables: Variables },
): Variables =>
  chain.steps.some((step) => step.isLiteral)
    ? variables
    : { ...variables, [CHAIN_PARAMETERS]: parametersValue(chain, params) }
