import type { Method } from '../operations/operation.js'
import { type ValueType, VOID } from './values.js'

/** How well a method fits an input type (reference: automation.md §6); undefined when it does not. */
type Fit = { score: number; output: ValueType }

const EXACT = 4
const ADAPTED = 2
const ANYTHING = 1

/** What a value can be turned into without asking anybody. */
const ADAPTABLE: { [from in ValueType]?: readonly ValueType[] } = {
  document: ['documents'],
  documents: ['document'],
  blob: ['bloblist'],
  bloblist: ['blob'],
  string: ['document', 'documents', 'date', 'boolean', 'number'],
  object: ['documents', 'string'],
}

const ELEMENT: { [list in ValueType]?: ValueType } = { documents: 'document', bloblist: 'blob' }
const LIST: { [element in ValueType]?: ValueType } = { document: 'documents', blob: 'bloblist' }

/** What a method gives for each element of a list, as one: lists are joined, a void one leaves nothing of the list's kind. */
export const collectedType = (output: ValueType, list: ValueType): ValueType =>
  LIST[output] ?? (output === 'void' ? list : output)

/** A void operation, and one that answers with its input's own type, keeps what came in. */
const outputOf = (method: Method, input: ValueType): ValueType =>
  (method.output === 'void' && method.input === 'void') || method.output === 'object' ? input : method.output

/** Whether this method takes a list element by element. */
export const isMapped = (method: Method, input: ValueType): boolean =>
  Boolean(method.iterates) && ELEMENT[input] === method.input

/** The score of a method for an input type, and the type that comes out. */
export const fitOf = (method: Method, input: ValueType): Fit | undefined => {
  if (method.input === input) return { score: EXACT, output: outputOf(method, input) }
  if (isMapped(method, input)) return { score: EXACT - 1, output: collectedType(method.output, input) }
  if (method.input === 'void' || method.input === 'object')
    return { score: ANYTHING, output: outputOf(method, input) }
  if (ADAPTABLE[input]?.includes(method.input)) return { score: ADAPTED, output: outputOf(method, input) }
  return undefined
}

/** One step of a chain for typing: the ways to call it. */
export type TypedStep = { id: string; methods: readonly Method[] }

export type TypedPath = { methods: readonly Method[]; types: readonly ValueType[] }

/**
 * Chooses one method for each step so that every output fits the next step, preferring better fits early;
 * a choice that leads nowhere is taken back.
 *
 * @returns the methods and, one longer, the types between them; or how far the best attempt came.
 */
export const choosePath = (
  steps: readonly TypedStep[],
  input: ValueType,
): { path: TypedPath } | { failedAt: number; received: ValueType } => {
  const impossible = new Set<string>()
  let furthest: { failedAt: number; received: ValueType } = { failedAt: 0, received: input }

  const search = (position: number, type: ValueType): Method[] | undefined => {
    const step = steps[position]
    if (!step) return []
    if (impossible.has(`${position}:${type}`)) return undefined
    if (position > furthest.failedAt) furthest = { failedAt: position, received: type }
    const fits = step.methods
      .map((method) => ({ method, fit: fitOf(method, type) }))
      .filter((candidate): candidate is { method: Method; fit: Fit } => candidate.fit !== undefined)
      .sort((a, b) => b.fit.score - a.fit.score)
    for (const { method, fit } of fits) {
      const rest = search(position + 1, fit.output)
      if (rest) return [method, ...rest]
    }
    impossible.add(`${position}:${type}`)
    return undefined
  }

  const methods = search(0, input)
  if (!methods) return furthest
  const types: ValueType[] = [input]
  for (const chosen of methods) types.push(fitOf(chosen, types.at(-1) ?? input)?.output ?? 'void')
  return { path: { methods, types } }
}

/** A chain as a step: its steps decide what fits, so it takes anything and gives what they give. */
export const CHAIN_METHOD: Method = { input: 'object', output: 'object', run: async () => VOID }
