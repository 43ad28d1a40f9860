import {
  type Callable,
  CHAIN_METHOD,
  type ChainStep,
  choosePath,
  type Method,
  type Registry,
  type TypedStep,
  VALUE_TYPES,
  type ValueType,
} from '../language/index.js'
import { boundaryOf } from './planner.js'

/** A step that nothing gets to: its position, and the type that the steps before it come to at best. */
type DeadEnd = {
  position: number
  received: ValueType
  /** Position of the step that gives that type; absent where it is what comes in. */
  giver?: number
}

/** What a step gives is known by its signatures, except behind what calls another chain or commits. */
const isOpenEnded = (callable: Callable, step: ChainStep): boolean => {
  if (callable.kind === 'chain') return true
  const { operation } = callable
  return Boolean(operation.callsTarget) || boundaryOf(operation, step) !== undefined
}

/** Whether what comes out is what came in. */
const isPassing = ({ input, output }: Method): boolean =>
  output === 'object' || (input === 'void' && output === 'void')

const giverIn = (steps: readonly TypedStep[], type: ValueType): number | undefined => {
  const choice = choosePath(steps, type)
  if (!('path' in choice)) return undefined
  const giver = choice.path.methods.findLastIndex((method) => !isPassing(method))
  return giver < 0 ? undefined : giver
}

const deadEndIn = (steps: readonly TypedStep[]): DeadEnd | undefined => {
  let furthest: (DeadEnd & { type: ValueType }) | undefined
  for (const type of VALUE_TYPES) {
    const choice = choosePath(steps, type)
    if ('path' in choice) return undefined
    if (!furthest || choice.failedAt > furthest.position)
      furthest = { position: choice.failedAt, received: choice.received, type }
  }
  if (!furthest) return undefined
  const { type, ...found } = furthest
  const giver = giverIn(steps.slice(0, found.position), type)
  return giver === undefined ? found : { ...found, giver }
}

/** Each is looked for from the one before it on. */
const MAX_FOUND = 20

/** All of them in steps that follow one another: behind one, whatever it takes may come in. */
const deadEndsIn = (steps: readonly TypedStep[], begin: number): DeadEnd[] => {
  const ends: DeadEnd[] = []
  for (let from = 0; ends.length < MAX_FOUND; ) {
    const found = deadEndIn(steps.slice(from))
    if (!found) break
    const { position, received, giver } = found
    const place = begin + from
    ends.push({ position: place + position, received, ...(giver !== undefined && { giver: place + giver }) })
    // A step that takes nothing at all would be found again.
    if (position === 0) break
    from += position
  }
  return ends
}

/**
 * The steps of a chain that no input of the chain gets through to, by the signatures of the steps before them
 * (reference: automation.md §6). A step whose type is not known before the chain runs is none.
 *
 * @param isAfter whether a step directly follows the one before it: one between them may be unreadable.
 */
export const deadEndsOf = (
  steps: readonly ChainStep[],
  registry: Registry,
  isAfter: (step: ChainStep, before: ChainStep) => boolean = () => true,
): DeadEnd[] => {
  const found: DeadEnd[] = []
  let piece: TypedStep[] = []
  let begin = 0
  const close = (next: number): void => {
    found.push(...deadEndsIn(piece, begin))
    piece = []
    begin = next
  }
  for (const [position, step] of steps.entries()) {
    const before = steps[position - 1]
    if (before && !isAfter(step, before)) close(position)
    const callable = registry.find(step.operation)
    if (!callable) {
      close(position + 1)
      continue
    }
    const methods = callable.kind === 'operation' ? callable.operation.methods : [CHAIN_METHOD]
    piece.push({ id: step.operation, methods })
    if (isOpenEnded(callable, step)) close(position + 1)
  }
  close(steps.length)
  return found
}
