import type { Registry } from '../automation/index.js'
import { unknownChain } from '../chains/index.js'
import type { Schedule } from './schedules-point.js'

/** What a schedule can name. */
export type Schedulable = { registry: Registry; repositories: readonly string[] }

/** What is wrong with a schedule when this is what there is, and with which field of it. */
export const findingOfSchedule = (
  { chain, params, repository }: Pick<Schedule, 'chain' | 'params' | 'repository'>,
  { registry, repositories }: Schedulable,
): { field: string; message: string } | undefined => {
  if (repository !== undefined && !repositories.includes(repository))
    return { field: 'repository', message: `there is no repository "${repository}"` }
  if (chain === undefined) return undefined
  const callable = registry.find(chain)
  if (callable?.kind !== 'chain') return { field: 'chain', message: unknownChain(chain, registry) }
  const missing = callable.chain.params.find(
    ({ name, isRequired, values }) => isRequired && values.length === 0 && (params[name] ?? null) === null,
  )
  return missing && { field: 'params', message: `the chain requires the parameter "${missing.name}"` }
}
