import type { Session } from '../../../content/documents/index.js'
import type { StoredRoute } from '../../../content/stores/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { JsonValue } from '../../../platform/events/index.js'
import type { RouteState } from '../graph/index.js'
import type { RouteModel } from '../model/index.js'

/** A route with its model, as it was when the route started, and its state. */
export type Route = Omit<StoredRoute, 'model' | 'state'> & {
  /** Of its model, a dot, and when it was started, ms since 1970. */
  name: string
  model: RouteModel
  state: RouteState
}

export const routeName = (modelId: string, startedAt: Date): string => `${modelId}.${startedAt.getTime()}`

/** What is stored was written by `storedRoute`. */
export const routeOf = (stored: StoredRoute): Route => ({
  ...stored,
  name: routeName(stored.modelId, stored.startedAt),
  model: stored.model as unknown as RouteModel,
  state: stored.state as unknown as RouteState,
})

export const storedRoute = ({ name: _, ...route }: Route): StoredRoute => ({
  ...route,
  model: route.model as unknown as JsonValue,
  state: route.state as unknown as JsonValue,
})

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A route as it is stored, whoever may see it. @throws notFound when there is none. */
export const loadRoute = async (
  { stores }: Pick<Session, 'stores'>,
  id: string,
  options?: { hold: boolean },
): Promise<Route> => {
  const stored = UUID.test(id) ? await stores.routes.get(id, options) : undefined
  if (!stored) throw fail('notFound', `There is no workflow ${id}`)
  return routeOf(stored)
}

/** Routes by their ids. */
export const loadRoutes = async (
  { stores }: Pick<Session, 'stores'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Route>> => {
  const found = await stores.routes.getMany([...new Set(ids)])
  return new Map(found.map((stored) => [stored.id, routeOf(stored)]))
}

/** Routes that run, the oldest first: the first thousand. */
export const listRunning = async ({ stores }: Pick<Session, 'stores'>): Promise<Route[]> =>
  (await stores.routes.running()).map(routeOf)
