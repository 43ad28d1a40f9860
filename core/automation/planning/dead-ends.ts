import {
  type Callable,
  CHAIN_METHOD,
  type ChainStep,
  choosePath,
  type Registry,
  type TypedStep,
  VALUE_TYPES,
  type ValueType,
} from '../language/index.js'
import { boundaryOf } from './planner.js'

/** A step that nothing gets to: its position, and the type that the steps before it come to at best. */
type DeadEnd = { position: number; received: ValueType }

/** What a step gives is known by its signatures, except behind what calls another chain or commits. */
const isOpenEnded = (callable: Callable, step: ChainStep): boolean => {
  if (callable.kind === 'chain') return true
  const { operation } = callable
  return Boolean(operation.callsTarget || operation.isSlow) || boundaryOf(operation, step) !== undefined
}

const deadEndIn = (steps: readonly TypedStep[]): DeadEnd | undefined => {
  let furthest: DeadEnd | undefined
  for (const type of VALUE_TYPES) {
    const choice = choosePath(steps, type)
    if ('path' in choice) return undefined
    if (!furthest || choice.failedAt > furthest.position)
      furthest = { position: choice.failedAt, received: choice.received }
  }
  return furthest
}

/**
 * The first step of a chain that no input of the chain gets through to, by the signatures of the steps before it
 * (reference: automation.md §6). Undefined where there is none, or where that is not known before the chain runs.
 *
 * @param steps all of which name something.
 */
export const deadEndOf = (steps: readonly ChainStep[], registry: Registry): DeadEnd | undefined => {
  let piece: TypedStep[] = []
  let begin = 0
  for (const [position, step] of steps.entries()) {
    const callable = registry.get(step.operation)
    const methods = callable.kind === 'operation' ? callable.operation.methods : [CHAIN_METHOD]
    piece.push({ id: step.operation, methods })
    if (position < steps.length - 1 && !isOpenEnded(callable, step)) continue
    const found = deadEndIn(piece)
    if (found) return { ...found, position: begin + found.position }
    piece = []
    begin = position + 1
  }
  return undefined
}
