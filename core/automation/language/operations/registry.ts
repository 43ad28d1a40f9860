import { suggestion } from '../../../platform/contributions/index.js'
import { type ArchivoltError, fail } from '../../../platform/errors/index.js'
import type { ChainDefinition } from '../chains/chain.js'
import type { Operation } from './operation.js'

export type Callable = { kind: 'operation'; operation: Operation } | { kind: 'chain'; chain: ChainDefinition }

/** What can be called by id or alias: the product's operations and the deployed chains. */
export type Registry = {
  operations: readonly Operation[]
  chains: readonly ChainDefinition[]
  /** Undefined when nothing has this id or alias. `Chain.<id>` names a chain too. */
  find(id: string): Callable | undefined
  /** @throws notFound with the id, and what it is probably a typo of. */
  get(id: string): Callable
}

/**
 * Says the same of what does not exist and of what its caller may not call.
 *
 * @param meant what a name that nothing has was probably a typo of, as messages end.
 */
export const notCallable = (id: string, meant = ''): ArchivoltError =>
  fail('notFound', `No operation or chain '${id}' is registered${meant}`)

const CHAIN_PREFIX = 'Chain.'

/** Chains take precedence over nothing: an operation's id or alias can not be taken by a chain. */
export const createRegistry = (
  operations: readonly Operation[],
  chains: readonly ChainDefinition[],
): Registry => {
  const callables = new Map<string, Callable>()
  for (const chain of chains) {
    for (const name of [chain.id, ...chain.aliases]) callables.set(name, { kind: 'chain', chain })
    callables.set(`${CHAIN_PREFIX}${chain.id}`, { kind: 'chain', chain })
  }
  for (const operation of operations) {
    for (const name of [operation.id, ...(operation.aliases ?? [])])
      callables.set(name, { kind: 'operation', operation })
  }
  const find = (id: string): Callable | undefined => callables.get(id)
  return {
    operations,
    chains,
    find,
    get: (id) => {
      const found = find(id)
      if (!found) throw notCallable(id, suggestion(id, callables.keys()))
      return found
    },
  }
}
