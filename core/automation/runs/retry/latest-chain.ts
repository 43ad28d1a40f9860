import { fail } from '../../../platform/errors/index.js'
import type { ChainDefinition, Registry } from '../../language/index.js'
import { chainOfOne, type Plan } from '../../planning/index.js'

/**
 * The chain of a run as it is deployed now; an operation that was called directly stays the same, but calls what is
 * deployed now.
 *
 * @throws conflict for a chain that is no longer deployed.
 */
export const latestChain = (plan: Plan, registry: Registry): ChainDefinition => {
  const found = registry.find(plan.chainId)
  if (found?.kind === 'chain') return found.chain
  const [only] = plan.nodes
  const step = only?.kind === 'segment' ? only.steps[0] : only?.step
  if (found && step) return chainOfOne(found.operation, step.params)
  throw fail('conflict', `definition: the chain '${plan.chainId}' is no longer deployed`)
}
