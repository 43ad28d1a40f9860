import { fail } from '../../platform/errors/index.js'
import { type Callable, type ChainDefinition, type Registry, scriptNamesOf } from '../language/index.js'
import type { BulkStore, PackedState, StepKey, TransactionReach, UnitsOfWork } from '../run-store/index.js'
import { scriptedOperation } from '../scripted-operations/index.js'
import type { Execution, ExecutorDependencies } from './execution.js'

export type SegmentDependencies = ExecutorDependencies & { units: UnitsOfWork; registry: Registry }

/** What every piece of a run needs to know of the run. */
export type RunContext = {
  key: StepKey
  state: PackedState
  /** Chains that the run carries. */
  chains: { [id: string]: ChainDefinition }
}

/** The chains that a run carries hide those deployed since. */
const finder = (registry: Registry, chains: RunContext['chains']): Registry['find'] => {
  const carried = Object.values(chains)
  if (carried.length === 0) return registry.find
  const found = new Map<string, Callable | undefined>()
  const look = (id: string): Callable | undefined => {
    const bare = id.replace(/^Chain\./, '')
    const chain = Object.hasOwn(chains, bare)
      ? chains[bare]
      : carried.find(({ aliases }) => aliases.includes(id))
    if (chain?.script) return { kind: 'operation', operation: scriptedOperation(chain.script) }
    return chain ? { kind: 'chain', chain } : registry.find(id)
  }
  return (id) => {
    if (!found.has(id)) found.set(id, look(id))
    return found.get(id)
  }
}

const finders = new WeakMap<RunContext['chains'], { registry: Registry; find: Registry['find'] }>()

/** One for all transactions of a piece of a run: what it finds is the same for each element of a loop. */
const finderOf = (registry: Registry, chains: RunContext['chains']): Registry['find'] => {
  const known = finders.get(chains)
  if (known?.registry === registry) return known.find
  const find = finder(registry, chains)
  finders.set(chains, { registry, find })
  return find
}

/** What runs in bulk gives no bulk commands: their number would grow with each of them. */
const withoutCommands = (bulk: BulkStore): BulkStore => ({
  ...bulk,
  submit: async () => {
    throw fail('badRequest', 'A bulk command gives no others')
  },
})

const ignore = (): void => undefined

/**
 * @param isBulk for a document of a bulk command.
 * @param report takes incidents; absent: nothing does.
 */
export const executionOf = (
  dependencies: Omit<SegmentDependencies, 'units'>,
  unit: TransactionReach,
  {
    chains,
    signal,
    isBulk = false,
    report = ignore,
  }: {
    chains: RunContext['chains']
    signal: AbortSignal
    isBulk?: boolean
    report?: Execution['report'] | undefined
  },
): Execution => ({
  expressions: dependencies.expressions,
  scripts: dependencies.scripts,
  services: dependencies.services,
  session: unit.session,
  sessionAs: unit.sessionAs,
  transient: unit.transient,
  sequences: unit.sequences,
  bulk: isBulk ? withoutCommands(unit.bulk) : unit.bulk,
  registry: dependencies.registry,
  find: finderOf(dependencies.registry, chains),
  scriptNames: () => scriptNamesOf(dependencies.registry, Object.values(chains)),
  signal: unit.limited(signal),
  report,
  attempt: (work) =>
    unit.attempt((inner) => work(executionOf(dependencies, inner, { chains, signal, isBulk, report }))),
})
