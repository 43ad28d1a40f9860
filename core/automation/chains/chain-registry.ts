import type { ContributionFeed, Deployed } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  type ChainDefinition,
  createRegistry,
  type Operation,
  type Registry,
  type ScriptDefinition,
} from '../language/index.js'
import { scriptedOperation } from '../scripted-operations/index.js'
import { findingsOfChain } from './checking/check-chain.js'
import { SCRIPTS } from './scripts/scripts-point.js'

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
  /** What can be called with the configuration alone. */
  configured: Registry
  /** The chains of the configuration, which a deployed one of the same id hides. */
  defaults: ReadonlyMap<string, ChainDefinition>
  /** The scripted operations of the configuration, likewise. */
  scripts: ReadonlyMap<string, ScriptDefinition>
}

/** @throws invalid listing what is wrong with the chains and scripted operations of the configuration. */
export const createChainRegistry = (dependencies: {
  operations: readonly Operation[]
  defaults: readonly ChainDefinition[]
  scripts?: readonly ScriptDefinition[]
  feed: Pick<ContributionFeed, 'current' | 'latest'>
}): ChainRegistry => {
  const { operations, feed } = dependencies
  const defaults = new Map(dependencies.defaults.map((chain) => [chain.id, chain]))
  const scripts = new Map((dependencies.scripts ?? []).map((script) => [script.id, script]))
  checkScripts(operations, [...scripts.values()])
  const callable = [...operations, ...[...scripts.values()].map(scriptedOperation)]
  const configured = createRegistry(callable, dependencies.defaults)
  checkDefaults(configured)

  let known: { deployed: readonly ReturnType<Deployed['of']>[]; registry: Registry } | undefined
  const looked = new WeakMap<Deployed, Registry>()
  const of = (deployed: Deployed): Registry => {
    const registry = looked.get(deployed) ?? registryOf(deployed)
    looked.set(deployed, registry)
    return registry
  }
  const registryOf = (deployed: Deployed): Registry => {
    const contributions = [deployed.of(CHAINS), deployed.of(SCRIPTS)] as const
    if (contributions.every((some, index) => some === known?.deployed[index])) return known!.registry
    // The store holds for these points what their handlers have examined: checked definitions.
    const chains = withDeployed(defaults, contributions[0])
    const scripted = withDeployed(scripts, contributions[1]).map(scriptedOperation)
    known = { deployed: contributions, registry: createRegistry([...operations, ...scripted], chains) }
    return known.registry
  }
  return {
    of,
    current: async () => of(await feed.current()),
    latest: () => of(feed.latest()),
    configured,
    defaults,
    scripts,
  }
}

const withDeployed = <Definition>(
  defaults: ReadonlyMap<string, Definition>,
  deployed: ReturnType<Deployed['of']>,
): Definition[] => {
  const all = new Map(defaults)
  for (const { name, content } of deployed.values()) all.set(name, content as Definition)
  return [...all.values()]
}

/** Names are free only as long as nothing of the product, or another script, has them. */
const checkScripts = (operations: readonly Operation[], scripts: readonly ScriptDefinition[]): void => {
  const owners = new Map(
    operations.flatMap(({ id, aliases = [] }) => [id, ...aliases].map((name) => [name, id] as const)),
  )
  const problems = scripts.flatMap(({ id, aliases }) =>
    [id, ...aliases].flatMap((name) => {
      const owner = owners.get(name)
      owners.set(name, id)
      return owner === undefined ? [] : [`scripts.${id}: the name "${name}" is taken by ${owner}`]
    }),
  )
  if (problems.length > 0)
    throw fail('invalid', ['The configuration has problems:', ...problems].join('\n  '))
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
