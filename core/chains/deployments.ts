import {
  type ChainDefinition,
  describePlan,
  type PlanDescription,
  type Registry,
} from '../automation/index.js'
import { fail, isArchivoltError } from '../errors/index.js'
import type { Principal } from '../security/index.js'
import { CHAINS, type ChainRegistry } from './chain-registry.js'
import { checkChain, registryWith } from './check-chain.js'
import type { ContributionStore, ContributionVersion } from './contribution-store.js'
import { refusalOfId } from './ids.js'
import { parseChain } from './parse-chain.js'
import { checkPrecondition, type Precondition } from './preconditions.js'
import { callersOf } from './targets.js'
import type { ChainFormat } from './types.js'
import { writeYaml } from './write-yaml.js'

/** A chain in one of its versions. Version 0 is that of the configuration. */
export type ChainVersion = {
  chain: ChainDefinition
  version: number
  source: string
  format: ChainFormat
  /** Absent for chains of the configuration. */
  author?: string
  createdAt?: Date
}

export type DeployCall = {
  principal: Principal
  id: string
  text: string
  format: ChainFormat
  precondition: Precondition
}

/** Chains as they are deployed, read and taken away at run time. */
export type ChainDeployments = {
  /**
   * Checks a chain and puts it in force as its next version, for every process.
   *
   * @throws forbidden, invalid (with details), preconditionFailed, conflict.
   */
  deploy(call: DeployCall): Promise<{ deployed: ChainVersion; isNew: boolean }>
  /** All checks of `deploy`, and what would run; nothing is kept. */
  plan(call: DeployCall): Promise<PlanDescription>
  /** A version, or the one in force. @throws notFound. */
  get(id: string, version?: number): Promise<ChainVersion>
  /** The chains in force, by id. */
  list(): Promise<readonly ChainVersion[]>
  /** @throws forbidden, notFound, preconditionFailed; conflict naming the chains that call it. */
  remove(call: Pick<DeployCall, 'principal' | 'id' | 'precondition'>): Promise<void>
}

type Dependencies = { store: ContributionStore; registry: ChainRegistry }

/** How often a decision is taken anew because another process has deployed meanwhile. */
const MAX_ATTEMPTS = 100

export const createChainDeployments = ({ store, registry }: Dependencies): ChainDeployments => {
  /** A chain of the configuration is in force as long as none is deployed over it. */
  const inForce = async (id: string): Promise<ChainVersion | undefined> => {
    if (refusalOfId(id)) return undefined
    const newest = await store.newest(CHAINS, id)
    if (newest && !newest.isDeleted) return versionOf(newest)
    const chain = registry.defaults.get(id)
    return chain && defaultVersion(chain)
  }

  /** Decides on the state as it is and writes; decides again when that state is no longer the newest. */
  const change = async <Result>(
    decide: (registry: Registry) => Promise<{
      append: Parameters<ContributionStore['append']>[2]
      result(version: ContributionVersion): Result
    }>,
  ): Promise<Result> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { registry: base, mark } = await registry.snapshot()
      const { append, result } = await decide(base)
      const appended = await store.append(CHAINS, mark, append)
      if (!appended) continue
      await registry.snapshot()
      return result(appended)
    }
    throw fail('conflict', 'Too many chains are being deployed at the same time; try again')
  }

  /** Everything that may refuse a chain. */
  const examine = async (call: DeployCall, base: Registry) => {
    const { principal, id, text, format, precondition } = call
    if (!principal.isAdministrator) throw fail('forbidden', 'Only administrators may deploy chains')
    const { chain, places, mayReplace } = parseChain({ id, text, format })
    const before = await inForce(id)
    checkPrecondition(id, before?.version, precondition)
    if (before && !mayReplace)
      throw fail('conflict', `Chain '${id}' exists, and its text says replace="false"`)
    checkChain({ chain, places, registry: base })
    return { chain, before, plan: planOf(chain, base) }
  }

  return {
    deploy: (call) =>
      change(async (base) => {
        const { chain, before } = await examine(call, base)
        const { id, text, format, principal } = call
        return {
          append: {
            name: id,
            source: text,
            format,
            content: chain,
            isDeleted: false,
            author: principal.name,
          },
          result: (version) => ({ deployed: versionOf(version), isNew: before === undefined }),
        }
      }),

    plan: async (call) => (await examine(call, await registry.current())).plan,

    get: async (id, version) => {
      const found =
        version === undefined || refusalOfId(id)
          ? await inForce(id)
          : await versionAt(id, { version, store, defaults: registry.defaults })
      if (!found)
        throw fail(
          'notFound',
          `No chain '${id}'${version === undefined ? '' : ` of version ${version}`} is deployed`,
        )
      return found
    },

    list: async () => {
      const deployed = (await store.changedSince(CHAINS, '')).filter(({ isDeleted }) => !isDeleted)
      const byId = new Map([...registry.defaults].map(([id, chain]) => [id, defaultVersion(chain)]))
      for (const version of deployed) byId.set(version.name, versionOf(version))
      return [...byId.values()].sort((a, b) => (a.chain.id < b.chain.id ? -1 : 1))
    },

    remove: ({ principal, id, precondition }) =>
      change(async (base) => {
        if (!principal.isAdministrator) throw fail('forbidden', 'Only administrators may delete chains')
        const before = await inForce(id)
        if (!before) throw fail('notFound', `No chain '${id}' is deployed`)
        checkPrecondition(id, before.version, precondition)
        checkRemovable(before, base, registry.defaults)
        const { source, format, chain: content } = before
        return {
          append: { name: id, source, format, content, isDeleted: true, author: principal.name },
          result: () => undefined,
        }
      }),
  }
}

const versionOf = ({
  version,
  source,
  format,
  content,
  author,
  createdAt,
}: ContributionVersion): ChainVersion => ({
  // The store holds for this point what `deploy` has written: checked definitions.
  chain: content as ChainDefinition,
  version,
  source,
  format,
  author,
  createdAt,
})

const defaultVersion = (chain: ChainDefinition): ChainVersion => ({
  chain,
  version: 0,
  source: writeYaml(chain),
  format: 'yaml',
})

const versionAt = async (
  id: string,
  {
    version,
    store,
    defaults,
  }: { version: number; store: ContributionStore; defaults: ChainRegistry['defaults'] },
): Promise<ChainVersion | undefined> => {
  const chain = defaults.get(id)
  if (version === 0) return chain && defaultVersion(chain)
  const found = await store.version(CHAINS, id, version)
  return found && !found.isDeleted ? versionOf(found) : undefined
}

const checkRemovable = (
  { chain, version }: ChainVersion,
  registry: Registry,
  defaults: ChainRegistry['defaults'],
): void => {
  if (version === 0)
    throw fail(
      'conflict',
      `Chain '${chain.id}' belongs to the configuration, and can be replaced but not deleted`,
    )
  if (defaults.has(chain.id)) return
  const callers = callersOf(chain, registry)
  if (callers.length > 0) throw fail('conflict', `Chain '${chain.id}' is called by ${callers.join(', ')}`)
}

/** What planning refuses is a fault of the text, whatever its code. */
const planOf = (chain: ChainDefinition, registry: Registry): PlanDescription => {
  try {
    return describePlan(chain, registryWith(registry, chain))
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    throw fail('invalid', error.message, { cause: error, details: [{ message: error.message }] })
  }
}
