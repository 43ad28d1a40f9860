import { Hono } from 'hono'
import type { z } from 'zod'
import { migrateRoute, retryRoute } from '../../core/automation/routing/following/index.js'
import { listRunning, type Route } from '../../core/automation/routing/instances/index.js'
import type { RouteBacklog, TaskCount } from '../../core/content/stores/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { entityResponse } from '../rest/index.js'
import type { WorkflowServices } from './services.js'
import {
  backlogSchema,
  migrateQuery,
  migrationSchema,
  workflowRunSchema,
  workflowRunsQuery,
  workflowRunsSchema,
} from './workflow.schema.js'

export const operatorDocs = routeGroup({
  tag: 'workflows',
  path: { workflowId: 'Id of the workflow' },
  errors: [403],
})({
  listWorkflowRuns: [
    'GET /workflowRun',
    'Workflows that run, for administrators, the oldest first',
    { query: workflowRunsQuery, 200: workflowRunsSchema, errors: [503] },
  ],
  getWorkflowBacklog: [
    'GET /workflowBacklog',
    'Open tasks of workflows by model, node and assignee, for administrators',
    { 200: backlogSchema },
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

/** Workflows of one page. */
const MAX_PAGE_SIZE = 1_000

/** Temporal is asked about each workflow: one request looks at so many pages for those that are stuck. */
const MAX_SCANNED_PAGES = 5

type RunsAsked = z.output<typeof workflowRunsQuery>

const earlier = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a

/** The counts of nodes by their models. */
const byModel = (nodes: RouteBacklog['byNode']) => {
  const models = new Map<string, { workflowModelName: string } & TaskCount>()
  for (const { modelId, open, overdue, earliestDue } of nodes) {
    const sum = models.get(modelId) ?? { open: 0, overdue: 0, earliestDue: null }
    models.set(modelId, {
      workflowModelName: modelId,
      open: sum.open + open,
      overdue: sum.overdue + overdue,
      earliestDue: earlier(sum.earliestDue, earliestDue),
    })
  }
  return [...models.values()].sort((a, b) => b.open - a.open)
}

/** What operators do with workflows. */
export const createOperatorRoutes = (services: WorkflowServices): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const at = `${API}/workflowRun`

  /** A page of workflows that run; of those that are stuck, what a few pages have. */
  const pageOf = async (
    c: RequestContext,
    { stuck = false, unfollowed: isUnfollowed, workflowModelName: modelId, ...page }: RunsAsked,
  ) => {
    const limit = Math.min(page.pageSize || MAX_PAGE_SIZE, MAX_PAGE_SIZE)
    const entries: ReturnType<typeof entityOf>[] = []
    let after: string | undefined = page.after
    for (let pages = 0; pages < (stuck ? MAX_SCANNED_PAGES : 1); pages++) {
      const running = await listRunning(services.session(c), { modelId, isUnfollowed, after, limit })
      const followed = await services.routes.running(running.map(({ id }) => id))
      for (const route of running) {
        const entity = entityOf(route, followed.has(route.id))
        if (!stuck || !entity.isFollowed || entity.failedRules.length > 0) entries.push(entity)
      }
      after = running.length < limit ? undefined : running.at(-1)?.id
      if (after === undefined || entries.length >= limit) break
    }
    return { 'entity-type': 'workflowRuns' as const, entries, nextAfter: after ?? null }
  }

  routes.get(at, async (c) => {
    requireAdministrator(c)
    return entityResponse(await pageOf(c, parseQuery(c, workflowRunsQuery)))
  })

  routes.get(`${API}/workflowBacklog`, async (c) => {
    requireAdministrator(c)
    const { stores, now } = services.session(c)
    const { byNode, byAssignee, unfollowed } = await stores.routes.backlog({ now })
    const nodes = byNode.map(({ modelId: workflowModelName, ...rest }) => ({ workflowModelName, ...rest }))
    const models = byModel(byNode)
    const sum = (of: 'open' | 'overdue') => models.reduce((total, each) => total + each[of], 0)
    return entityResponse({
      'entity-type': 'workflowBacklog',
      ...{ open: sum('open'), overdue: sum('overdue'), unfollowed, models, nodes, assignees: byAssignee },
    })
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
