import { type ChainRegistry, unknownChain } from '../../core/automation/chains/index.js'
import {
  eventHandlersPoint,
  findingsOfHandler,
  findingsOfListener,
  listenersPoint,
} from '../../core/automation/events/index.js'
import type { Registry } from '../../core/automation/language/index.js'
import { commitsOnItsWay } from '../../core/automation/planning/index.js'
import { chainsOfRoute, type RouteModel, routesPoint } from '../../core/automation/routing/model/index.js'
import {
  findingsOfSchedule,
  type Schedulable,
  schedulesPoint,
} from '../../core/automation/schedules/index.js'
import {
  type Contributions,
  type Deployed,
  type Finding,
  type FurtherCheck,
  type PointHandler,
  pendingVersion,
  refuseConfiguration,
  type Snapshots,
  type UsageCheck,
  withVersion,
} from '../../core/platform/contributions/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Database } from '../../storage/postgres/index.js'
import { backends } from '../backends.js'

/** What is wrong with something that starts a chain, when these are the chains. */
type StarterFinding = { point: string; name: string; finding: Finding }

/** What is wrong with the user that a schedule acts as. */
const findingsOfUser = async (
  { sql }: Pick<Database, 'sql'>,
  { username }: { username?: string | undefined },
): Promise<Finding[]> => {
  if (username === undefined || (await backends.identities(sql).user(username))) return []
  return [{ path: ['username'], message: `there is no user "${username}"` }]
}

/** Chains of routes run inside of the transaction of a move. */
const findingsOfRoute = (model: RouteModel, registry: Registry): Finding[] =>
  chainsOfRoute(model).flatMap(({ path, chain }) => {
    const callable = registry.find(chain)
    if (callable?.kind !== 'chain') return [{ path, message: unknownChain(chain, registry) }]
    if (!commitsOnItsWay(callable.chain, registry)) return []
    return [{ path, message: `"${chain}" commits on its way, which a chain of a route may not` }]
  })

/** What is wrong with a handler, a listener or a schedule by itself, by the point that it is contributed to. */
export const starterChecks = (
  database: Pick<Database, 'sql'>,
  there: (deployed: Deployed) => Schedulable,
): { readonly [point: string]: FurtherCheck } => ({
  [eventHandlersPoint.point]: async (handler: Parameters<typeof findingsOfHandler>[0], deployed) =>
    findingsOfHandler(handler, there(deployed).registry),
  [listenersPoint.point]: async (listener: Parameters<typeof findingsOfListener>[0], deployed) =>
    findingsOfListener(listener, there(deployed).registry),
  [routesPoint.point]: async (model: RouteModel, deployed) =>
    findingsOfRoute(model, there(deployed).registry),
  [schedulesPoint.point]: async (
    schedule: Parameters<typeof findingsOfSchedule>[0] & { username?: string },
    deployed,
  ) => [...findingsOfSchedule(schedule, there(deployed)), ...(await findingsOfUser(database, schedule))],
})

/** What of one point is not as it was before, by name. */
const changedIn = <Content>(
  now: ReadonlyMap<string, Content>,
  before: ReadonlyMap<string, Content> | undefined,
): readonly (readonly [string, Content])[] =>
  [...now].filter(([name, content]) => JSON.stringify(before?.get(name)) !== JSON.stringify(content))

/** Of all handlers, listeners and schedules, or of those that are not as they were before. */
const findingsOf = (
  contributions: Contributions,
  there: Schedulable,
  before?: Contributions,
): StarterFinding[] => {
  const handlers = changedIn(contributions.get(eventHandlersPoint), before?.get(eventHandlersPoint))
  const listeners = changedIn(contributions.get(listenersPoint), before?.get(listenersPoint))
  const schedules = changedIn(contributions.get(schedulesPoint), before?.get(schedulesPoint))
  const routes = changedIn(contributions.get(routesPoint), before?.get(routesPoint))
  const found = [
    ...routes.map(([name, model]) => [routesPoint, name, findingsOfRoute(model, there.registry)] as const),
    ...handlers.map(
      ([name, handler]) => [eventHandlersPoint, name, findingsOfHandler(handler, there.registry)] as const,
    ),
    ...listeners.map(
      ([name, listener]) => [listenersPoint, name, findingsOfListener(listener, there.registry)] as const,
    ),
    ...schedules.map(
      ([name, schedule]) => [schedulesPoint, name, findingsOfSchedule(schedule, there)] as const,
    ),
  ]
  return found.flatMap(([{ point }, name, findings]) => findings.map((finding) => ({ point, name, finding })))
}

/** Handlers, listeners and schedules of the configuration's files. @throws invalid with the file and field of each problem. */
export const checkConfiguredStarters = (contributions: Contributions, there: Schedulable): void => {
  const nameless = [...contributions.get(schedulesPoint)].flatMap(([name, { username }]) =>
    username === undefined
      ? [
          {
            point: schedulesPoint.point,
            name,
            finding: { path: ['username'], message: 'is missing: a file is deployed by nobody' },
          },
        ]
      : [],
  )
  const findings = [...findingsOf(contributions, there), ...nameless]
  refuseConfiguration(
    findings.map(({ point, name, finding }) => contributions.locate({ point, name }, finding)),
  )
}

/** Refuses handlers, listeners and schedules that cannot start their chain. @throws invalid. */
export const checkStarters = async (
  database: Pick<Database, 'sql'>,
  there: Schedulable,
  { before, after }: Omit<Parameters<UsageCheck>[0], 'deployed'>,
): Promise<void> => {
  const found = findingsOf(after.contributions, there, before.contributions)
  const { point } = schedulesPoint
  const schedules = changedIn(
    after.contributions.get(schedulesPoint),
    before.contributions.get(schedulesPoint),
  )
  for (const [name, schedule] of schedules)
    for (const finding of await findingsOfUser(database, schedule)) found.push({ point, name, finding })
  if (found.length > 0) throw refused(found, after.contributions)
}

const refused = (found: readonly StarterFinding[], contributions: Contributions) => {
  const details = found.map(({ point, name, finding }) => contributions.locate({ point, name }, finding))
  const [first] = details
  return fail('invalid', `${first?.field}: ${first?.message}`, { details })
}

/** A handler of chains that keeps in order what starts them: neither deploying nor removing one breaks any of it. */
export const keepingStarters = (
  handler: PointHandler,
  {
    chains,
    snapshots,
    repositories,
  }: { chains: ChainRegistry; snapshots: Snapshots; repositories: readonly string[] },
): PointHandler => {
  const brokenBy = (
    deployed: Deployed,
    version: Parameters<typeof pendingVersion>[0],
    among: Deployed = deployed,
  ): StarterFinding | undefined => {
    const registry = chains.of(withVersion(among, pendingVersion(version)))
    const after = findingsOf(snapshots.of(among).contributions, { registry, repositories })
    const before = findingsOf(snapshots.of(deployed).contributions, {
      registry: chains.of(deployed),
      repositories,
    })
    return after.find(
      (found) => !before.some(({ point, name }) => point === found.point && name === found.name),
    )
  }
  const { point } = handler
  return {
    ...handler,
    examine: async (text, deployed, among) => {
      const examined = await handler.examine(text, deployed, among)
      const broken = brokenBy(deployed, { point, ...text, content: examined.content }, among)
      if (!broken) return examined
      const message = `${broken.point}/${broken.name} starts it: ${broken.finding.message}`
      throw fail('invalid', `Chain '${text.name}' is refused: ${message}`, { details: [{ message }] })
    },
    checkRemovable: async (version, deployed) => {
      await handler.checkRemovable(version, deployed)
      const broken = brokenBy(deployed, { ...version, text: version.source, isDeleted: true })
      if (broken)
        throw fail('conflict', `Chain '${version.name}' is started by ${broken.point}/${broken.name}`)
    },
  }
}
