import { fail } from '../../platform/errors/index.js'
import {
  type Callable,
  CHAIN_METHOD,
  type ChainStep,
  choosePath,
  type Method,
  type ValueType,
} from '../language/index.js'
import type { Execution } from './execution.js'

/** A step with what it names, and the signatures that it offers. */
export type TypedStep = { id: string; step: ChainStep; methods: readonly Method[]; callable: Callable }

/** @throws notFound for a step that names nothing. */
export const typedStep = (
  { find, registry }: Pick<Execution, 'find' | 'registry'>,
  step: ChainStep,
): TypedStep => {
  const callable = find(step.operation) ?? registry.get(step.operation)
  const methods = callable.kind === 'operation' ? callable.operation.methods : [CHAIN_METHOD]
  return { id: step.operation, step, methods, callable }
}

/** Steps with the method by which each takes what it gets. */
type Walk = readonly { step: ChainStep; callable: Callable; method: Method }[]

const walkOf = (
  execution: Pick<Execution, 'find' | 'registry'>,
  steps: readonly ChainStep[],
  received: ValueType,
): Walk => {
  const typed = steps.map((step) => typedStep(execution, step))
  const choice = choosePath(typed, received)
  if ('failedAt' in choice) {
    const failed = typed[choice.failedAt]
    throw fail(
      'badRequest',
      `No valid path through the chain: ${failed?.id} takes no input of type ${choice.received}`,
    )
  }
  return typed.map(({ step, callable }, position) => ({
    step,
    callable,
    method: choice.path.methods[position] ?? CHAIN_METHOD,
  }))
}

type Walks = WeakMap<readonly ChainStep[], Map<ValueType, Walk>>

/** By what finds the steps: neither that nor a definition ever changes. */
const known = new WeakMap<Execution['find'], Walks>()

const walksOf = ({ find }: Pick<Execution, 'find'>, steps: readonly ChainStep[]): Map<ValueType, Walk> => {
  const walks: Walks = known.get(find) ?? new WeakMap()
  known.set(find, walks)
  const byType = walks.get(steps) ?? new Map<ValueType, Walk>()
  walks.set(steps, byType)
  return byType
}

/**
 * How to walk through steps with an input of some type. It is chosen once for all elements of a loop.
 *
 * @throws notFound for a step that names nothing, badRequest when types do not fit.
 */
export const chooseWalk = (
  execution: Pick<Execution, 'find' | 'registry'>,
  steps: readonly ChainStep[],
  received: ValueType,
): Walk => {
  // A call of a single operation is new each time, and chosen as quickly as looked up.
  if (steps.length === 1) return walkOf(execution, steps, received)
  const walks = walksOf(execution, steps)
  const walk = walks.get(received) ?? walkOf(execution, steps, received)
  walks.set(received, walk)
  return walk
}
