import {
  type Callable,
  CHAIN_METHOD,
  type ChainStep,
  choosePath,
  type Method,
  type ValueType,
} from '../../language/index.js'
import type { Execution } from '../execution.js'
import { refusedInput, refusedPath } from './refused-input.js'

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
type TypedSteps = readonly { step: ChainStep; callable: Callable; method: Method }[]

const typedStepsOf = (
  execution: Pick<Execution, 'find' | 'registry'>,
  steps: readonly ChainStep[],
  received: ValueType,
): TypedSteps => {
  const typed = steps.map((step) => typedStep(execution, step))
  const choice = choosePath(typed, received)
  if ('failedAt' in choice) {
    const { failedAt, received: type } = choice
    const failed = typed[failedAt]!
    throw typed.length === 1 || (failedAt === 0 && type === 'void')
      ? refusedInput(failed, type)
      : refusedPath(failed, type)
  }
  return typed.map(({ step, callable }, position) => ({
    step,
    callable,
    method: choice.path.methods[position] ?? CHAIN_METHOD,
  }))
}

type Choices = WeakMap<readonly ChainStep[], Map<ValueType, TypedSteps>>

/** By what finds the steps: neither that nor a definition ever changes. */
const known = new WeakMap<Execution['find'], Choices>()

const choicesFor = (
  { find }: Pick<Execution, 'find'>,
  steps: readonly ChainStep[],
): Map<ValueType, TypedSteps> => {
  const choices: Choices = known.get(find) ?? new WeakMap()
  known.set(find, choices)
  const byType = choices.get(steps) ?? new Map<ValueType, TypedSteps>()
  choices.set(steps, byType)
  return byType
}

/**
 * The method by which each step takes what it gets. It is chosen once for all items of a loop.
 *
 * @throws notFound for a step that names nothing, badRequest when types do not fit.
 */
export const chooseMethods = (
  execution: Pick<Execution, 'find' | 'registry'>,
  steps: readonly ChainStep[],
  received: ValueType,
): TypedSteps => {
  // A call of a single operation is new each time, and chosen as quickly as looked up.
  if (steps.length === 1) return typedStepsOf(execution, steps, received)
  const byType = choicesFor(execution, steps)
  const chosen = byType.get(received) ?? typedStepsOf(execution, steps, received)
  byType.set(received, chosen)
  return chosen
}
