import type { PropertyValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  type Callable,
  checkLiteral,
  type Operation,
  parametersValue,
  type Variables,
  valueOfJson,
} from '../language/index.js'

type Given = { [name: string]: PropertyValue }

const checkOfOperation = ({ params }: Operation, given: Given): void => {
  for (const [name, parameter] of Object.entries(params)) {
    const { aliases = [], isRequired, default: fallback, type } = parameter
    const found = [name, ...aliases].map((candidate) => given[candidate]).find((value) => value !== undefined)
    const isNeeded = isRequired && fallback === undefined
    if (found === undefined && isNeeded) throw fail('badRequest', `Parameter ${name} is required`)
    if (found === null && isNeeded && type !== 'object')
      throw fail('badRequest', `Parameter ${name} is required and must not be null`)
    if (found !== undefined) checkLiteral(parameter, valueOfJson(found), name)
  }
}

/**
 * Looks at the parameters of a call of an operation before it is begun. What it leaves out may be a variable, or under
 * another name; that is looked for when it runs.
 *
 * @throws badRequest as the call does, naming a parameter that is missing or cannot be read as its type.
 */
export const checkCalledParameters = (
  operation: Operation,
  { params, variables }: { params: Given; variables: Variables },
): void => {
  const open = Object.entries(operation.params).filter(
    ([name, { aliases = [] }]) =>
      ![name, ...aliases].some((candidate) => params[candidate] === undefined && candidate in variables),
  )
  checkOfOperation({ ...operation, params: Object.fromEntries(open) }, params)
}

/**
 * Looks at literal values for an operation or chain that nothing else gives any, before it is called. Documents that
 * they name are looked for when it is.
 *
 * @throws badRequest as a call of it does, naming a parameter that is missing or cannot be read as its type.
 */
export const checkLiteralParameters = (callable: Callable, given: Given): void => {
  if (callable.kind === 'operation') checkOfOperation(callable.operation, given)
  else parametersValue(callable.chain, given)
}
