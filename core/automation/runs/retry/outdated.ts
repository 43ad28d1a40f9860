import { isArchivoltError } from '../../../platform/errors/index.js'
import type { Registry } from '../../language/index.js'
import { type Plan, planToTravel } from '../../planning/index.js'
import { latestChain } from './latest-chain.js'

const isSame = (before: unknown, now: unknown): boolean => JSON.stringify(before) === JSON.stringify(now)

/** The chain of a run as it would be planned now; undefined when it is removed, or can no longer be planned. */
const latestPlan = (plan: Plan, registry: Registry): Plan | undefined => {
  try {
    return planToTravel(latestChain(plan, registry), registry)
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return undefined
  }
}

/** Whether the chain of a run, or something that it calls, was deployed again since the run began. */
export const isOutdated = (plan: Plan, registry: Registry): boolean => {
  const now = latestPlan(plan, registry)
  if (!now) return false
  const { nodes, onError, chains } = plan
  // A child run's plan has all chains that its parent may reach.
  return (
    !isSame([nodes, onError], [now.nodes, now.onError]) ||
    Object.entries(now.chains).some(([id, chain]) => !isSame(chains[id], chain))
  )
}
