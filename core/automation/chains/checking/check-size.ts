import type { Report } from '../../../platform/contributions/index.js'
import type { ChainDefinition, Registry } from '../../language/index.js'
import { MAX_OPERATIONS } from '../limits.js'
import { calledBy, stepsOf } from './targets.js'

/**
 * Counts the operations of chains with every call followed, each chain once. A few chains that call one
 * another several times over would otherwise multiply into plans that no memory holds.
 */
const counter = (registry: Registry): ((chain: ChainDefinition) => number) => {
  const counted = new Map<string, number>()
  const count = (chain: ChainDefinition): number => {
    const known = counted.get(chain.id)
    if (known !== undefined) return known
    // A chain that comes back to itself is refused elsewhere; here it only must not go round for ever.
    counted.set(chain.id, 0)
    const sum = stepsOf(chain)
      .flatMap((step) => calledBy(step, registry))
      .reduce((total, called) => total + (called.kind === 'chain' ? count(called.chain) : 1), 0)
    counted.set(chain.id, sum)
    return sum
  }
  return count
}

/** Reports chains, this one and those that reach it, that would become too large. */
export const checkSize = (registry: Registry, report: Report): void => {
  const count = counter(registry)
  for (const chain of registry.chains) {
    const size = count(chain)
    if (size > MAX_OPERATIONS) {
      const message = `with every call followed, the chain ${chain.id} comes to ${size} operations; at most ${MAX_OPERATIONS} are allowed`
      report('operations', undefined, message)
    }
  }
}
