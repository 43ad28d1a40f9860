import type { Registry } from '../../core/automation/language/index.js'
import { type Plan, planToTravel } from '../../core/automation/planning/index.js'
import { isArchivoltError } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/types.js'
import { currentChain } from './retry-current.js'

const isSame = (before: unknown, now: unknown): boolean => JSON.stringify(before) === JSON.stringify(now)

/** The chain of a run as it would be planned now; undefined when it is gone, or cannot be planned any more. */
const planNow = (run: ChainRun, registry: Registry): Plan | undefined => {
  try {
    return planToTravel(currentChain(run, registry), registry)
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return undefined
  }
}

/** Whether the chain of a run, or something that it calls, was deployed anew since the run began. */
export const isOutdated = (run: ChainRun, registry: Registry): boolean => {
  const now = planNow(run, registry)
  if (!now) return false
  const { nodes, onError, chains } = run.plan
  // A run below another one carries all that the other may reach.
  return (
    !isSame([nodes, onError], [now.nodes, now.onError]) ||
    Object.entries(now.chains).some(([id, chain]) => !isSame(chains[id], chain))
  )
}
