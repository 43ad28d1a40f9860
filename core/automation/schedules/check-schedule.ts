import type { Finding } from '../../platform/contributions/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import { findingsOfCall, unknownChain } from '../chains/index.js'
import type { Registry } from '../language/index.js'
import { checkLiteralParameters } from '../planning/index.js'
import type { Schedule } from './schedules-point.js'

/** What a schedule can name. */
export type Schedulable = { registry: Registry; repositories: readonly string[] }

type Checked = Pick<Schedule, 'chain' | 'params' | 'repository'>

const findingsOfParams = (
  chain: string,
  { params, registry }: Pick<Checked, 'params'> & Schedulable,
): Finding[] => {
  const callable = registry.find(chain)
  if (callable?.kind !== 'chain') return [{ path: ['chain'], message: unknownChain(chain, registry) }]
  const found = findingsOfCall({ called: chain, callable, given: params, isGiven: () => false }, registry)
  if (found.length > 0)
    return found.map(({ name, part, message }) => ({
      path: part === 'absence' ? ['params'] : ['params', name],
      onKey: part === 'name',
      message,
    }))
  try {
    // Nothing of it is evaluated, as of the parameters of any call.
    checkLiteralParameters(callable, params)
    return []
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return [{ path: ['params'], message: error.message }]
  }
}

/**
 * What is wrong with a schedule when this is what there is. Its parameters are held to what the chain declares, as those
 * of a step are which runs it.
 */
export const findingsOfSchedule = ({ chain, params, repository }: Checked, there: Schedulable): Finding[] => {
  const isKnown = repository === undefined || there.repositories.includes(repository)
  return [
    ...(isKnown ? [] : [{ path: ['repository'], message: `there is no repository "${repository}"` }]),
    ...(chain === undefined ? [] : findingsOfParams(chain, { params, ...there })),
  ]
}
