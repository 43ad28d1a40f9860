import type { Registry } from '../automation/index.js'
import type { Schedule } from './schedules-point.js'

/** What is wrong with a schedule when these are the chains, and with which field of it. */
export const findingOfSchedule = (
  { chain, params }: Pick<Schedule, 'chain' | 'params'>,
  registry: Registry,
): { field: string; message: string } | undefined => {
  if (chain === undefined) return undefined
  const callable = registry.find(chain)
  if (callable?.kind !== 'chain') return { field: 'chain', message: `no chain "${chain}" is deployed` }
  const missing = callable.chain.params.find(
    ({ name, isRequired, values }) => isRequired && values.length === 0 && (params[name] ?? null) === null,
  )
  return missing && { field: 'params', message: `the chain requires the parameter "${missing.name}"` }
}
