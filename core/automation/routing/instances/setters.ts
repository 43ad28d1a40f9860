import type { Principal } from '../../../access/security/index.js'
import { referencesIn } from '../../../platform/sandbox/expressions/index.js'
import { expressionSource } from '../model/index.js'
import { distinct } from '../tasks/index.js'
import type { Route } from './instance.js'

/** Remembers who has set variables of a route. Administrators may name anybody. */
export const rememberSetter = (
  { state }: Pick<Route, 'state'>,
  names: readonly string[],
  { name, isAdministrator }: Pick<Principal, 'name' | 'isAdministrator'>,
): void => {
  const others = Object.entries(state.setBy ?? {}).filter(([variable]) => !names.includes(variable))
  const set = isAdministrator ? [] : names.map((variable) => [variable, name])
  state.setBy = Object.fromEntries([...others, ...set])
}

/** Those who have set variables of a route, and of the whole whose part it is. */
export const allSetters = ({ state }: Pick<Route, 'state'>): string[] =>
  distinct([...Object.values(state.setBy ?? {}), ...(state.choosers ?? [])])

/**
 * Those who have set what an expression reads. One that names no variable may read each: all count then.
 *
 * @param expression absent: nobody.
 */
export const settersFor = ({ state }: Pick<Route, 'state'>, expression: string | undefined): string[] => {
  if (expression === undefined) return []
  const read = referencesIn(expressionSource(expression), ['WorkflowVariables']).map(({ key }) => key)
  if (read.length === 0) return allSetters({ state })
  const { setBy = {}, choosers = [] } = state
  return distinct([...read.flatMap((key) => (Object.hasOwn(setBy, key) ? [setBy[key]!] : [])), ...choosers])
}
