import { Hono } from 'hono'
import { migrateRoute, retryRoute } from '../../core/automation/routing/following/index.js'
import { listRunning, type Route } from '../../core/automation/routing/instances/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { entityResponse } from '../rest/index.js'
import type { WorkflowServices } from './services.js'
import {
  migrateQuery,
  migrationSchema,
  stuckQuery,
  workflowRunSchema,
  workflowRunsSchema,
} from './workflow.schema.js'

export const operatorDocs = routeGroup({
  tag: 'workflows',
  path: { workflowId: 'Id of the workflow' },
  errors: [403],
})({
  listWorkflowRuns: [
    'GET /workflowRun',
    'Workflows that run, for administrators: the oldest thousand',
    { query: stuckQuery, 200: workflowRunsSchema, errors: [503] },
  ],
  retryWorkflowRun: [
    'POST /workflowRun/{workflowId}/retry',
    'Tries again what has failed, and starts the Temporal workflow where there is none',
    { 202: workflowRunSchema, errors: [404, 503] },
  ],
  migrateWorkflowRun: [
    'POST /workflowRun/{workflowId}/migrate',
    'Lets a workflow go on by the model that is deployed now',
    { query: migrateQuery, 200: migrationSchema, errors: [404, 409] },
  ],
})

const requireAdministrator = (c: RequestContext): void => {
  if (!c.get('principal').isAdministrator) throw fail('forbidden', 'Workflow runs are for administrators')
}

const failedRules = ({ state }: Route): string[] =>
  Object.entries(state.nodes).flatMap(([node, { rules }]) =>
    Object.entries(rules).flatMap(([rule, { failedAt }]) => (failedAt ? [`${node}: ${rule}`] : [])),
  )

const entityOf = (route: Route, isFollowed: boolean) => ({
  'entity-type': 'workflowRun' as const,
  id: route.id,
  workflowModelName: route.modelId,
  initiator: route.initiator,
  startedAt: route.startedAt.toISOString(),
  nodes: Object.keys(route.state.nodes).filter((id) => route.state.nodes[id]?.state === 'suspended'),
  temporalId: `route/${route.id}`,
  isFollowed,
  failedRules: failedRules(route),
})

/** What operators do with workflows. */
export const createOperatorRoutes = (services: WorkflowServices): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const at = `${API}/workflowRun`

  routes.get(at, async (c) => {
    requireAdministrator(c)
    const { stuck = false } = parseQuery(c, stuckQuery)
    const running = await listRunning(services.session(c))
    const followed = await services.routes.running(running.map(({ id }) => id))
    const entries = running
      .map((route) => entityOf(route, followed.has(route.id)))
      .filter(({ isFollowed, failedRules: failed }) => !stuck || !isFollowed || failed.length > 0)
    return entityResponse({ 'entity-type': 'workflowRuns', ...{ entries } })
  })

  routes.post(`${at}/:id/retry`, async (c) => {
    requireAdministrator(c)
    const route = await services.transact(c, (context) => retryRoute(context, c.req.param('id')))
    const { id: routeId, modelId, initiator } = route
    await services.routes.follow({ routeId, modelId, initiator })
    return entityResponse(entityOf(route, true), 202)
  })

  routes.post(`${at}/:id/migrate`, async (c) => {
    requireAdministrator(c)
    const { dryRun: isDryRun = false } = parseQuery(c, migrateQuery)
    const asked = { routeId: c.req.param('id'), isDryRun }
    const { obstacles } = await services.transact(c, (context) => migrateRoute(context, asked))
    if (obstacles.length > 0 && !isDryRun)
      throw fail('conflict', `Workflow ${asked.routeId} stays as it is: ${obstacles.join('; ')}`)
    return entityResponse({
      'entity-type': 'workflowMigration',
      ...{ id: asked.routeId, isDryRun, obstacles },
    })
  })

  return routes
}
