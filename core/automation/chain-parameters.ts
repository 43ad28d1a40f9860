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

/**
 * Values for a chain's declared parameters: what the caller gives, else the first declared value.
 *
 * @throws badRequest naming a required parameter that has neither.
 */
export const withDefaults = (
  declared: readonly ChainParameter[],
  given: { [name: string]: PropertyValue },
): { [name: string]: PropertyValue } => {
  const values = { ...given }
  for (const { name, isRequired, values: hints } of declared) {
    if (values[name] !== undefined) continue
    if (hints[0] !== undefined) values[name] = hints[0]
    else if (isRequired) throw fail('badRequest', `Parameter ${name} is required`)
  }
  return values
}
