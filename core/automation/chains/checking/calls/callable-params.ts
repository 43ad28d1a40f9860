import {
  type Callable,
  type ChainDefinition,
  type ChainStep,
  isStepsOwn,
  type Notation,
  type Operation,
  type Parameter,
  type Registry,
} from '../../../language/index.js'
import { calledBy } from '../targets.js'

/** A parameter that a step may set: its type, and whether it must come from somewhere. */
export type KnownParam = {
  name: string
  names: readonly string[]
  type: string
  isRequired: boolean
  notation?: Notation
  /** Of operations: see `Parameter`. */
  declared?: Parameter
  /** Text in it is only text: neither code nor a template. */
  isPlain: boolean
}

const ofOperation = (operation: Operation): KnownParam[] =>
  Object.entries(operation.params).map(([name, declared]) => {
    const { type, aliases = [], isRequired, default: fallback, notation, isCode, quoted } = declared
    return {
      name,
      declared,
      ...(notation && { notation }),
      isPlain: !notation && !isCode && !quoted,
      names: [name, ...aliases],
      type,
      isRequired: Boolean(isRequired) && fallback === undefined,
    }
  })

const ofChain = (chain: ChainDefinition): KnownParam[] =>
  chain.params.map(({ name, type, isRequired, values }) => ({
    name,
    names: [name],
    type,
    isRequired: isRequired && values.length === 0,
    isPlain: true,
  }))

/** The declared parameters of an operation or a chain. */
export const declaredParams = (callable: Callable): KnownParam[] =>
  callable.kind === 'operation' ? ofOperation(callable.operation) : ofChain(callable.chain)

/**
 * Names that a chain reads without declaring them: the parameters of its operations, and of those of chains
 * that it calls, which they do not set themselves (reference: automation.md §6, "chain parameters leak").
 */
export const leakedNames = (chain: ChainDefinition, registry: Registry): ReadonlySet<string> => {
  const names = new Set<string>()
  const visited = new Set<string>()
  const visit = (current: ChainDefinition): void => {
    if (visited.has(current.id)) return
    visited.add(current.id)
    for (const step of current.steps) for (const callable of calledBy(step, registry)) enter(callable, step)
  }
  const enter = (callable: Callable, step: ChainStep): void => {
    for (const param of declaredParams(callable).filter(({ declared }) => !declared || !isStepsOwn(declared)))
      for (const name of param.names) if (!Object.hasOwn(step.params, name)) names.add(name)
    if (callable.kind === 'chain') visit(callable.chain)
  }
  visit(chain)
  return names
}
