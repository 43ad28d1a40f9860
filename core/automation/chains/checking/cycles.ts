import type { ChainDefinition, ChainStep, Registry } from '../../language/index.js'
import { calledBy, stepsOf } from './targets.js'

/**
 * The chains through which a step of a chain comes back to that chain, in calling order; undefined when it
 * does not. Calls that an expression decides are not known before they run.
 */
export const cycleThrough = (
  chain: ChainDefinition,
  step: ChainStep,
  registry: Registry,
): readonly string[] | undefined => {
  const visited = new Set<string>()
  const visit = (current: ChainStep, path: readonly string[]): readonly string[] | undefined => {
    for (const callable of calledBy(current, registry)) {
      if (callable.kind !== 'chain') continue
      const { chain: next } = callable
      if (next.id === chain.id) return [...path, next.id]
      if (visited.has(next.id)) continue
      visited.add(next.id)
      for (const inner of stepsOf(next)) {
        const cycle = visit(inner, [...path, next.id])
        if (cycle) return cycle
      }
    }
    return undefined
  }
  return visit(step, [chain.id])
}
