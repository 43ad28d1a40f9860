import type { PropertyValue } from '../../../model/properties/index.js'
import { didYouMean } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'
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

/** Types that a text stands for; a value of any other type is what it is. */
const READERS: {
  readonly [type: string]: { read(text: string): PropertyValue | undefined; what: string }
} = {
  integer: { read: wholeNumber, what: 'a whole number' },
  long: { read: wholeNumber, what: 'a whole number' },
  float: { read: numberOf, what: 'a number' },
  double: { read: numberOf, what: 'a number' },
  boolean: { read: truthValue, what: 'true or false' },
}

/** Command lines and defaults say numbers and truth values as text. */
const asDeclared = ({ name, type }: ChainParameter, value: PropertyValue): PropertyValue => {
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  if (!reader || typeof value !== 'string') return value
  const read = reader.read(value)
  if (read === undefined)
    throw fail('badRequest', `Parameter ${name}: ${reader.what} is expected, not ${JSON.stringify(value)}`)
  return read
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
 * Values for a chain's declared parameters: what the caller gives, else the first declared value; text is read as the
 * declared type.
 *
 * @throws badRequest naming a required parameter that has neither, or one that is not of its type.
 */
export const withDefaults = (declared: readonly ChainParameter[], given: Parameters): Parameters => {
  const values = { ...given }
  for (const parameter of declared) {
    const { name, isRequired } = parameter
    const value = values[name] ?? parameter.values[0]
    if (value !== undefined) values[name] = asDeclared(parameter, value)
    else if (isRequired)
      throw fail('badRequest', `Parameter ${name} is required${typoOf(name, { declared, given })}`)
  }
  return values
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
