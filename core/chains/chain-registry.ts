import { type ChainDefinition, createRegistry, type Operation, type Registry } from '../automation/index.js'
import { fail } from '../errors/index.js'
import { findingsOfChain } from './check-chain.js'
import { type ContributionStore, NO_MARK } from './contribution-store.js'

/** The extension point of chains, in the store and in configuration files. */
export const CHAINS = 'chains'

export type RegistrySnapshot = {
  registry: Registry
  /** Up to where the deployed chains were read. */
  mark: string
}

/** What can be called now, kept current with what any process deploys. */
export type ChainRegistry = {
  /**
   * With every chain whose deployment was answered before this call, by whichever process. Costs one indexed
   * query that finds nothing; calls that wait at the same time share one.
   */
  current(): Promise<Registry>
  /** The same, with the mark that a writer needs. */
  snapshot(): Promise<RegistrySnapshot>
  /** Without looking: as of the last look, or of the last notification, which takes some milliseconds. */
  latest(): Registry
  /** The chains of the configuration, which a deployed one of the same id hides. */
  defaults: ReadonlyMap<string, ChainDefinition>
  close(): Promise<void>
}

type Dependencies = {
  operations: readonly Operation[]
  defaults: readonly ChainDefinition[]
  store: ContributionStore
  /** Told when a look after a notification fails; the next one makes up for it. */
  onError(error: unknown): void
}

/**
 * Reads all deployed chains and begins to listen.
 *
 * @throws invalid listing what is wrong with the chains of the configuration.
 */
export const createChainRegistry = async (dependencies: Dependencies): Promise<ChainRegistry> => {
  const { operations, store, onError } = dependencies
  const defaults = new Map(dependencies.defaults.map((chain) => [chain.id, chain]))
  const deployed = new Map<string, ChainDefinition>()
  let state: RegistrySnapshot = { registry: createRegistry(operations, dependencies.defaults), mark: NO_MARK }
  checkDefaults(state.registry)

  const look = async (): Promise<RegistrySnapshot> => {
    const changes = await store.changedSince(CHAINS, state.mark)
    const last = changes.at(-1)
    if (!last) return state
    for (const { name, content, isDeleted } of changes) {
      // The store holds for this point what `deploy` has written: checked definitions.
      if (isDeleted) deployed.delete(name)
      else deployed.set(name, content as ChainDefinition)
    }
    const chains = [...new Map([...defaults, ...deployed]).values()]
    state = { registry: createRegistry(operations, chains), mark: last.mark }
    return state
  }

  const snapshot = sharing(look)
  await snapshot()
  const stop = await store.listen(CHAINS, () => void snapshot().catch(onError))
  return {
    snapshot,
    current: async () => (await snapshot()).registry,
    latest: () => state.registry,
    defaults,
    close: stop,
  }
}

/** Their notation is checked when the configuration is loaded, their operations can be looked up only here. */
const checkDefaults = (registry: Registry): void => {
  const problems = registry.chains.flatMap((chain) =>
    findingsOfChain({ chain, registry }).map(
      ({ field, message }) => `chains.${chain.id}: ${field}: ${message}`,
    ),
  )
  if (problems.length > 0)
    throw fail('invalid', ['The configuration has problems:', ...problems].join('\n  '))
}

/**
 * Lets callers share one run of some work, but never one that had begun before they asked: those who come
 * while it runs wait together for the next.
 */
const sharing = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  const start = (): Promise<Result> => {
    next = undefined
    const run = work().finally(() => {
      if (running === run) running = undefined
    })
    running = run
    return run
  }
  return () => {
    if (!running) return start()
    next ??= running.then(start, start)
    return next
  }
}
