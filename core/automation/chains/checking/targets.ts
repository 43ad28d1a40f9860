import { suggestion } from '../../../platform/contributions/index.js'
import {
  type Callable,
  type ChainDefinition,
  type ChainStep,
  isExpression,
  type Operation,
  type Registry,
} from '../../language/index.js'

/** The names of what could be called: ids and aliases of operations and chains. */
export const callableNames = (registry: Registry): string[] =>
  [...registry.operations, ...registry.chains].flatMap(({ id, aliases = [] }) => [id, ...aliases])

/** What is said of a chain that whatever starts it names in vain. */
export const unknownChain = (chain: string, { chains }: Pick<Registry, 'chains'>): string => {
  const ids = chains.flatMap(({ id, aliases }) => [id, ...aliases])
  return `no chain "${chain}" is deployed${suggestion(chain, ids)}`
}

/** The parameter through which a step of the Run… family names what it runs, when it is a constant. */
export const constantTarget = (
  operation: Operation,
  step: ChainStep,
): { parameter: string; id: string } | undefined => {
  if (!operation.callsTarget) return undefined
  const declared = Object.hasOwn(operation.params, 'id') ? operation.params.id : undefined
  for (const parameter of ['id', ...(declared?.aliases ?? [])]) {
    const id = Object.hasOwn(step.params, parameter) ? step.params[parameter] : undefined
    if (typeof id === 'string' && !isExpression(id)) return { parameter, id }
  }
  return undefined
}

/** The variable in which a loop hands over each element, if the step is a loop and says so by a constant. */
export const elementOf = (
  { operation }: { operation: Operation },
  { params }: ChainStep,
): string | undefined => {
  const declared = operation.params.itemName ?? operation.params.item
  if (operation.callsTarget !== 'list' || !declared) return undefined
  const name = params.itemName ?? params.item ?? declared.default
  return typeof name === 'string' && !isExpression(name) ? name : undefined
}

/** What a step may call: itself, and through a constant `id` another one. */
export const calledBy = (step: ChainStep, registry: Registry): Callable[] => {
  const callable = registry.find(step.operation)
  if (!callable) return []
  const target = callable.kind === 'operation' ? constantTarget(callable.operation, step) : undefined
  const indirect = target && registry.find(target.id)
  return indirect ? [callable, indirect] : [callable]
}

/** Its steps, and, as if they were steps too, the error chains that may follow them. */
export const stepsOf = ({ steps, onError = [] }: ChainDefinition): readonly ChainStep[] => [
  ...steps,
  ...onError.map(({ chain }) => ({ operation: chain, params: {} })),
]

/** Ids of the chains that name this chain, as a step or as what a Run… operation runs. */
export const callersOf = (chain: ChainDefinition, registry: Registry): string[] => {
  const names = new Set([chain.id, `Chain.${chain.id}`, ...chain.aliases])
  return registry.chains
    .filter(({ id }) => id !== chain.id)
    .flatMap((caller) => (callsAny(caller, names, registry) ? [caller.id] : []))
}

const callsAny = (caller: ChainDefinition, names: ReadonlySet<string>, registry: Registry): boolean =>
  stepsOf(caller).some((step) => {
    if (names.has(step.operation)) return true
    const callable = registry.find(step.operation)
    const target = callable?.kind === 'operation' ? constantTarget(callable.operation, step) : undefined
    return target !== undefined && names.has(target.id)
  })

/** The chains that a chain may come to, itself included. */
const reachedBy = (chain: ChainDefinition, registry: Registry): ReadonlySet<ChainDefinition> => {
  const reached = new Set([chain])
  for (const current of reached)
    for (const step of stepsOf(current))
      for (const called of calledBy(step, registry)) if (called.kind === 'chain') reached.add(called.chain)
  return reached
}

/** Whether a chain may come to another. */
export const reaches = (from: ChainDefinition, id: string, registry: Registry): boolean =>
  [...reachedBy(from, registry)].some((chain) => chain.id === id)

/** Whether all that a chain calls is there, and what that calls. */
export const isWhole = (chain: ChainDefinition, registry: Registry): boolean =>
  [...reachedBy(chain, registry)].every((reached) =>
    stepsOf(reached).every((step) => {
      const callable = registry.find(step.operation)
      const target = callable?.kind === 'operation' ? constantTarget(callable.operation, step) : undefined
      return callable !== undefined && (target === undefined || registry.find(target.id) !== undefined)
    }),
  )
