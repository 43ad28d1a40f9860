import { type ChainDefinition, createRegistry, type Operation, type Registry } from '../automation/index.js'
import type { ContributionFeed, Deployed } from '../contributions/index.js'
import { fail } from '../errors/index.js'
import { findingsOfChain } from './check-chain.js'

/** The extension point of chains, in the store and in configuration files. */
export const CHAINS = 'chains'

/** What can be called now, kept current with what any process deploys. */
export type ChainRegistry = {
  /** With every chain whose deployment was answered before this call; see `ContributionFeed`. */
  current(): Promise<Registry>
  /** Without looking: as of the last look, or of the last notification, which takes some milliseconds. */
  latest(): Registry
  /** What can be called with the given contributions. */
  of(deployed: Deployed): Registry
  /** The chains of the configuration, which a deployed one of the same id hides. */
  defaults: ReadonlyMap<string, ChainDefinition>
}

/** @throws invalid listing what is wrong with the chains of the configuration. */
export const createChainRegistry = (dependencies: {
  operations: readonly Operation[]
  defaults: readonly ChainDefinition[]
  feed: Pick<ContributionFeed, 'current' | 'latest'>
}): ChainRegistry => {
  const { operations, feed } = dependencies
  const defaults = new Map(dependencies.defaults.map((chain) => [chain.id, chain]))
  checkDefaults(createRegistry(operations, dependencies.defaults))

  let known: { deployed: ReturnType<Deployed['of']>; registry: Registry } | undefined
  const of = (deployed: Deployed): Registry => {
    const contributions = deployed.of(CHAINS)
    if (known?.deployed === contributions) return known.registry
    const chains = new Map(defaults)
    // The store holds for this point what its handler has examined: checked definitions.
    for (const { name, content } of contributions.values()) chains.set(name, content as ChainDefinition)
    known = { deployed: contributions, registry: createRegistry(operations, [...chains.values()]) }
    return known.registry
  }
  return {
    of,
    current: async () => of(await feed.current()),
    latest: () => of(feed.latest()),
    defaults,
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
