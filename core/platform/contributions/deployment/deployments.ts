import { type ErrorDetail, fail } from '../../errors/index.js'
import { suggestion } from '../yaml/did-you-mean.js'
import type { ContributionStore, ContributionVersion, NewContributionVersion } from './contribution-store.js'
import { type Examined, examineTogether } from './examine-together.js'
import type { ContributionFeed, Deployed } from './feed.js'
import type { ContributionText, DeployedVersion, PointHandler } from './point-handler.js'
import { checkPrecondition, type Precondition } from './preconditions.js'
import { isSame } from './unchanged.js'

/** Who deploys: only administrators may. */
type Deployer = { name: string; isAdministrator: boolean }

export type DeployCall = ContributionText & {
  principal: Deployer
  point: string
  precondition: Precondition
  /** The position in a request of several, for messages about it. */
  source?: number
  /** The text to keep, where `text` has its place in a file. */
  kept?: string
}

/** A version that is in force now; whether it was created. */
export type Deployment = {
  deployed: DeployedVersion
  isNew: boolean
  /** Its text equals the version in force: nothing was deployed, and that version is returned. */
  isUnchanged: boolean
  /** The earlier version with the same text, if any: the content in force is as it was then. */
  sameAs?: number
  /** Warnings: what its author probably did not mean. */
  warnings: readonly ErrorDetail[]
}

/** The outcome that deploying a text would have; `content` is what would be stored. */
export type Planned = {
  content: unknown
  plan: object
  warnings: readonly ErrorDetail[]
  isUnchanged: boolean
}

/** Contributions to all extension points as they are deployed, read and removed at run time. */
export type ContributionDeployments = {
  /** @throws notFound for a point that does not exist. */
  handler(point: string): PointHandler
  handlers: readonly PointHandler[]
  /**
   * Checks a contribution and puts it in force as its next version, for every process.
   *
   * @throws forbidden, invalid (with details), preconditionFailed, conflict.
   */
  deploy(call: DeployCall): Promise<Deployment>
  /**
   * Deploys several, all or none. They may name one another in any order.
   *
   * @throws what `deploy` does; of several that are refused, one error with the details of all.
   */
  deployAll(calls: readonly DeployCall[]): Promise<readonly Deployment[]>
  /** All checks of `deployAll`, and the outcome of each; nothing is stored. */
  planAll(calls: readonly DeployCall[]): Promise<readonly Planned[]>
  /** The same for one. */
  plan(call: DeployCall): Promise<Planned>
  /** A version, or the one in force. @throws notFound. */
  get(point: string, name: string, version?: number): Promise<DeployedVersion>
  /** What is in force at a point, by name. */
  list(point: string): Promise<readonly DeployedVersion[]>
  /** Every version of a name, newest first, deletions included. @throws notFound. */
  versions(point: string, name: string): Promise<readonly DeployedVersion[]>
  /** @throws forbidden, notFound, preconditionFailed; conflict naming what needs it. */
  remove(call: Pick<DeployCall, 'principal' | 'point' | 'name' | 'precondition'>): Promise<void>
}

/** How often a decision is retried because another process has deployed meanwhile. */
const MAX_ATTEMPTS = 100

export const createContributionDeployments = ({
  store,
  feed,
  handlers,
  onChanged = async () => {},
}: {
  store: ContributionStore
  feed: ContributionFeed
  handlers: readonly PointHandler[]
  /**
   * Updates stored data after a deployment, before it is answered; deploying again repairs a failure. It also
   * receives the contributions that were deployed before.
   */
  onChanged?(deployed: Deployed, before: Deployed): Promise<void>
}): ContributionDeployments => {
  const byPoint = new Map(handlers.map((handler) => [handler.point, handler]))
  const handlerOf = (point: string): PointHandler => {
    const handler = byPoint.get(point)
    if (!handler) throw fail('notFound', `No extension point '${point}'${suggestion(point, byPoint.keys())}`)
    return handler
  }

  /** A contribution of the configuration is in force as long as none is deployed over it. */
  const inForce = async (handler: PointHandler, name: string): Promise<DeployedVersion | undefined> => {
    if (handler.refusalOfName(name)) return undefined
    const newest = await store.newest(handler.point, name)
    return newest && !newest.isDeleted ? versionOf(newest) : configuredVersion(handler, name)
  }

  /** Decides on the state as it is and writes; decides again when that state is no longer the newest. */
  const change = async <Result>(
    decide: (deployed: Deployed) => Promise<{
      append: readonly NewContributionVersion[]
      result(versions: readonly ContributionVersion[]): Result
    }>,
  ): Promise<Result> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const deployed = await feed.current()
      const { append, result } = await decide(deployed)
      const appended = append.length === 0 ? [] : await store.append(deployed.mark, append)
      if (!appended) continue
      await onChanged(await feed.current(), deployed)
      return result(appended)
    }
    throw fail('conflict', 'Too many contributions are being deployed at the same time; try again')
  }

  const examine = async (call: DeployCall, deployed: Deployed, among?: Deployed): Promise<Examined> => {
    const { principal, point, name, precondition, format } = call
    const handler = handlerOf(point)
    requireAdministrator(principal, `deploy ${handler.noun}s`)
    const { content, mayReplace, plan, warnings = [] } = await handler.examine(call, deployed, among)
    const before = await inForce(handler, name)
    checkPrecondition(labelOf(handler, name), before?.version, precondition)
    if (before && !mayReplace)
      throw fail('conflict', `${labelOf(handler, name)} exists, and its text says replace="false"`)
    const unchanged =
      before && isSame(handler, before, { text: call.text, format, content, author: principal.name })
        ? before
        : undefined
    return { call, content, before, unchanged, plan, warnings }
  }

  const examineAll = (calls: readonly DeployCall[], deployed: Deployed): Promise<readonly Examined[]> =>
    examineTogether(calls, { deployed, handlerOf, examine })

  const deployAll = (calls: readonly DeployCall[]): Promise<readonly Deployment[]> =>
    change(async (deployed) => {
      const examined = await examineAll(calls, deployed)
      const changed = examined.filter(({ unchanged }) => !unchanged)
      const append = changed.map(({ call: { point, name, text, kept, format, principal }, content }) => ({
        ...{ point, name, source: kept ?? text, format, content },
        ...{ isDeleted: false, author: principal.name },
      }))
      const earlier = await Promise.all(
        append.map((version, at) => (changed[at]?.before ? store.firstOfText(version) : undefined)),
      )
      const result = (versions: readonly ContributionVersion[]) =>
        examined.map((one): Deployment => {
          const at = changed.indexOf(one)
          const version = versions[at]
          const sameAs = earlier[at]
          const now = one.unchanged ?? (version && versionOf(version))
          if (!now) throw fail('internal', 'A contribution was deployed, but not returned')
          const { warnings, before, unchanged } = one
          return {
            deployed: now,
            isNew: before === undefined,
            isUnchanged: unchanged !== undefined,
            ...(sameAs !== undefined && { sameAs }),
            warnings,
          }
        })
      return { append, result }
    })

  const planAll = async (calls: readonly DeployCall[]): Promise<readonly Planned[]> => {
    const examined = await examineAll(calls, await feed.current())
    return examined.map(({ content, plan, warnings, unchanged }) => ({
      content,
      plan,
      warnings,
      isUnchanged: unchanged !== undefined,
    }))
  }

  return {
    handler: handlerOf,
    handlers,

    deploy: async (call) => {
      const [deployment] = await deployAll([call])
      if (!deployment) throw fail('internal', 'A contribution was deployed, but not returned')
      return deployment
    },

    deployAll,

    planAll,

    plan: async (call) => {
      const [planned] = await planAll([call])
      if (!planned) throw fail('internal', 'A contribution was planned, but not returned')
      return planned
    },

    get: async (point, name, version) => {
      const handler = handlerOf(point)
      const found =
        version === undefined || handler.refusalOfName(name)
          ? await inForce(handler, name)
          : await versionAt({ store, handler, name, version })
      if (!found) throw notDeployed(handler, name, version)
      return found
    },

    list: async (point) => {
      const handler = handlerOf(point)
      const byName = new Map(
        [...handler.defaults().keys()].map((name) => [name, configuredVersion(handler, name)!]),
      )
      for (const version of (await feed.current()).of(point).values())
        byName.set(version.name, versionOf(version))
      return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    },

    versions: async (point, name) => {
      const handler = handlerOf(point)
      const configured = configuredVersion(handler, name)
      const deployed = handler.refusalOfName(name) ? [] : await store.versions(point, name)
      if (deployed.length === 0 && !configured) throw notDeployed(handler, name)
      return [...deployed.map(versionOf), ...(configured ? [configured] : [])]
    },

    remove: ({ principal, point, name, precondition }) =>
      change(async (deployed) => {
        const handler = handlerOf(point)
        requireAdministrator(principal, `delete ${handler.noun}s`)
        const before = await inForce(handler, name)
        if (!before) throw notDeployed(handler, name)
        checkPrecondition(labelOf(handler, name), before.version, precondition)
        if (before.version === 0)
          throw fail(
            'conflict',
            `${labelOf(handler, name)} belongs to the configuration, and can be replaced but not deleted`,
          )
        await handler.checkRemovable(before, deployed)
        const { source, format, content } = before
        return {
          append: [{ point, name, source, format, content, isDeleted: true, author: principal.name }],
          result: () => undefined,
        }
      }),
  }
}

const requireAdministrator = ({ isAdministrator }: Deployer, what: string): void => {
  if (!isAdministrator) throw fail('forbidden', `Only administrators may ${what}`)
}

/** `Chain 'x'` */
export const labelOf = ({ noun }: Pick<PointHandler, 'noun'>, name: string): string =>
  `${noun.charAt(0).toUpperCase()}${noun.slice(1)} '${name}'`

const notDeployed = ({ noun }: PointHandler, name: string, version?: number) =>
  fail('notFound', `No ${noun} '${name}'${version === undefined ? '' : ` of version ${version}`} is deployed`)

const versionOf = ({ mark: _, ...version }: ContributionVersion): DeployedVersion => version

const configuredVersion = (handler: PointHandler, name: string): DeployedVersion | undefined => {
  if (!handler.defaults().has(name)) return undefined
  const format = handler.formats[0]!
  const content = handler.defaults().get(name)
  const version = { point: handler.point, name, content, version: 0, source: '', format, isDeleted: false }
  return { ...version, source: handler.write(version, format) }
}

const versionAt = async ({
  store,
  handler,
  name,
  version,
}: {
  store: ContributionStore
  handler: PointHandler
  name: string
  version: number
}): Promise<DeployedVersion | undefined> => {
  if (version === 0) return configuredVersion(handler, name)
  const found = await store.version(handler.point, name, version)
  return found && !found.isDeleted ? versionOf(found) : undefined
}
