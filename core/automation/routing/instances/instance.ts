import type { Session } from '../../../content/documents/index.js'
import type {
  RunningRoutes,
  BriefRoute as StoredBriefly,
  StoredRoute,
} from '../../../content/stores/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { CoreEvent, JsonValue } from '../../../platform/events/index.js'
import type { RouteState } from '../graph/index.js'
import type { RouteModel } from '../model/index.js'
import type { Task } from '../tasks/index.js'

/** A route with its model, as it was when the route started, and its state. */
export type Route = Omit<StoredRoute, 'model' | 'state'> & {
  /** Of its model, a dot, and when it was started, ms since 1970. */
  name: string
  model: RouteModel
  state: RouteState
  /** What it has emitted, to be written when it is saved. */
  events: CoreEvent[]
  /** Tasks that it has created in this transaction, as they are. */
  created: Map<string, Task>
}

export const routeName = (modelId: string, startedAt: Date): string => `${modelId}.${startedAt.getTime()}`

/** The model in the name of a route. */
export const modelOfRoute = (name: string): string => name.replace(/\.\d+$/, '')

/** What is stored was written by `storedRoute`. */
export const routeOf = (stored: StoredRoute): Route => ({
  ...stored,
  name: routeName(stored.modelId, stored.startedAt),
  model: stored.model as unknown as RouteModel,
  state: stored.state as unknown as RouteState,
  events: [],
  created: new Map(),
})

export const storedRoute = ({ name: _, events: __, created: ___, ...route }: Route): StoredRoute => ({
  ...route,
  model: route.model as unknown as JsonValue,
  state: route.state as unknown as JsonValue,
})

/**
 * Writes where a route stands, and what it has emitted.
 *
 * @param options see `RouteStore.save`.
 */
export const saveRoute = (
  { stores }: Pick<Session, 'stores'>,
  route: Route,
  { isFollowed = false }: { isFollowed?: boolean | undefined } = {},
): Promise<void> => stores.routes.save(storedRoute(route), { isFollowed, events: route.events.splice(0) })

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What is answered for a route that does not exist, and for one that is hidden. */
export const noRoute = (id: string) => fail('notFound', `There is no workflow ${id}`)

/** A route as it is stored, whoever may see it. @throws notFound when there is none. */
export const loadRoute = async (
  { stores }: Pick<Session, 'stores'>,
  id: string,
  options?: { hold: boolean },
): Promise<Route> => {
  const stored = UUID.test(id) ? await stores.routes.get(id, options) : undefined
  if (!stored) throw noRoute(id)
  return routeOf(stored)
}

/** A route with its model, without its state. */
export type BriefRoute = Omit<StoredBriefly, 'model'> & { model: RouteModel }

/** Routes by their ids, without their states. */
export const loadBriefly = async (
  { stores }: Pick<Session, 'stores'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BriefRoute>> => {
  const found = await stores.routes.briefly([...new Set(ids)])
  return new Map(found.map((brief) => [brief.id, { ...brief, model: brief.model as unknown as RouteModel }]))
}

/** Who has started a route, or the one whose part it is: a part is started by whoever moves the whole. */
export const firstInitiator = async (
  session: Pick<Session, 'stores'>,
  { initiator, parentId }: Pick<Route, 'initiator' | 'parentId'>,
): Promise<string> => {
  if (parentId === null) return initiator
  const whole = (await loadBriefly(session, [parentId])).get(parentId)
  if (!whole) throw noRoute(parentId)
  return firstInitiator(session, whole)
}

/** Routes by their ids. */
export const loadRoutes = async (
  { stores }: Pick<Session, 'stores'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Route>> => {
  const found = await stores.routes.getMany([...new Set(ids)])
  return new Map(found.map((stored) => [stored.id, routeOf(stored)]))
}

/** Routes that run, the oldest first. */
export const listRunning = async (
  { stores }: Pick<Session, 'stores'>,
  asked: RunningRoutes,
): Promise<Route[]> => (await stores.routes.running(asked)).map(routeOf)
