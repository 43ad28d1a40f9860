import { fail } from '../../../platform/errors/index.js'
import type { OperationContext } from '../../language/index.js'
import { newState, type RouteState } from '../graph/index.js'
import {
  getRouteModel,
  holdRoute,
  loadRoute,
  type Route,
  saveRoute,
  storedRoute,
} from '../instances/index.js'
import { givenVariables, type RouteModel } from '../model/index.js'

/** Lets rules that have failed be tried at once, and has the workflow of the route look at it again. */
export const retryRoute = async (context: OperationContext, routeId: string): Promise<Route> => {
  const route = await holdRoute(context, routeId)
  for (const { rules } of Object.values(route.state.nodes))
    for (const rule of Object.values(rules)) delete rule.failedAt
  await saveRoute(context.session, route)
  return route
}

/** What keeps a route from going on by another model. */
const obstaclesOf = ({ state }: Route, { nodes }: RouteModel): string[] =>
  Object.entries(state.nodes).flatMap(([id, run]) => {
    if (run.state !== 'suspended' && run.state !== 'waiting') return []
    const node = nodes[id]
    if (!node) return [`it waits at ${id}, which the model does not have any more`]
    if (run.state === 'waiting' && node.merge === undefined) return [`${id} waits, and merges no more`]
    if (run.state === 'suspended' && node.hasTask !== run.tasks.length > 0)
      return [`${id} waits ${run.tasks.length > 0 ? 'for a task' : 'without a task'}, which has changed`]
    return []
  })

/** Where a route stands, in the nodes and variables of another model. */
const migrated = ({ state }: Route, model: RouteModel): RouteState => {
  const fresh = newState(model)
  return {
    status: state.status,
    variables: { ...fresh.variables, ...givenVariables(model.variables, state.variables) },
    nodes: Object.fromEntries(
      Object.entries(fresh.nodes).map(([id, node]) => {
        const run = state.nodes[id]
        if (!run) return [id, node]
        const declared = model.nodes[id]?.variables ?? {}
        return [id, { ...run, variables: { ...node.variables, ...givenVariables(declared, run.variables) } }]
      }),
    ),
  }
}

/**
 * Lets a route that runs go on by the model that is deployed now. Open tasks stay as they are.
 *
 * @param isDryRun nothing is changed.
 * @returns what keeps it from doing so; with any nothing is changed, either.
 * @throws notFound; conflict for a route that does not run; badRequest for a variable whose type has changed.
 */
export const migrateRoute = async (
  context: OperationContext,
  { routeId, isDryRun }: { routeId: string; isDryRun: boolean },
): Promise<{ route: Route; obstacles: string[] }> => {
  const route = isDryRun ? await loadRoute(context.session, routeId) : await holdRoute(context, routeId)
  if (route.status !== 'running') throw fail('conflict', `Workflow ${routeId} is ${route.status}`)
  const model = getRouteModel(context.session, route.modelId)
  const obstacles = obstaclesOf(route, model)
  const next = { ...route, model, state: migrated(route, model) }
  if (isDryRun || obstacles.length > 0) return { route, obstacles }
  await context.session.stores.routes.setModel(routeId, storedRoute(next).model)
  await saveRoute(context.session, next)
  return { route: next, obstacles }
}
