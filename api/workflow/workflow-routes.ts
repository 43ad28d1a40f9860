import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { z } from 'zod'
import { diagramOf, findOpenRoutes } from '../../core/automation/routing/entities/index.js'
import { getRouteModel, graphEntity, type Route } from '../../core/automation/routing/instances/index.js'
import { requireSmall, unknownInStart, type Variables } from '../../core/automation/routing/model/index.js'
import { findOpenTasks } from '../../core/automation/routing/tasks/index.js'
import { getNamedDocument, type Session } from '../../core/content/documents/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import { entityResponse, languagesOf, readJson, requireJsonAccepted } from '../rest/index.js'
import { withWarnings } from '../warnings/index.js'
import type { WorkflowServices } from './services.js'
import {
  drawing,
  escalationsSchema,
  fetchedOfWorkflow,
  graphSchema,
  modelQuery,
  workflowEntitySchema,
  workflowRequest,
  workflowsSchema,
} from './workflow.schema.js'
import { writeWorkflow } from './write-entities.js'

const SVG = 'image/svg+xml'

export const workflowDocs = routeGroup({ tag: 'workflows', path: { workflowId: 'Id of the workflow' } })({
  startWorkflow: [
    'POST /workflow',
    'Starts a workflow on documents',
    {
      query: fetchedOfWorkflow,
      body: workflowRequest,
      201: workflowEntitySchema,
      errors: [404, 503],
      warns: true,
    },
  ],
  listWorkflows: [
    'GET /workflow',
    'The open workflows that the caller has started',
    { query: modelQuery.extend(fetchedOfWorkflow.shape), 200: workflowsSchema },
  ],
  getWorkflow: [
    'GET /workflow/{workflowId}',
    'A workflow',
    { query: fetchedOfWorkflow, 200: workflowEntitySchema, errors: [403] },
  ],
  getWorkflowGraph: ['GET /workflow/{workflowId}/graph', 'Its nodes and transitions', { 200: graphSchema }],
  getWorkflowDiagram: ['GET /workflow/{workflowId}/diagram', 'A drawing of it', { 200: drawing }],
  getWorkflowEscalations: [
    'GET /workflow/{workflowId}/escalations',
    'The executions of its escalation rules, newest first',
    { 200: escalationsSchema, errors: [403] },
  ],
  cancelWorkflow: [
    'DELETE /workflow/{workflowId}',
    'Cancels a workflow with its tasks',
    { 204: 'It is cancelled', errors: [409, 503] },
  ],
})

const idsOf = (listed: z.output<typeof workflowRequest>['attachedDocumentIds'] = []): string[] =>
  listed.map((entry) => (typeof entry === 'string' ? entry : entry.id))

/** Starts a workflow as a request asks; on the given document, where there is one. */
export const startByRequest = async (
  services: WorkflowServices,
  c: RequestContext,
  documentId?: string,
): Promise<Response> => {
  requireJsonAccepted(c)
  const { maxJsonBytes } = services.rest.platform.settings.http
  const {
    workflowModelName: modelId,
    attachedDocumentIds,
    variables = {},
  } = parseInput(workflowRequest, await readJson(c, maxJsonBytes))
  const model = getRouteModel(services.session(c), modelId)
  requireSmall(variables as Variables)
  const id = randomUUID()
  const documentIds = documentId === undefined ? idsOf(attachedDocumentIds) : [documentId]
  const wanted = { modelId, documentIds, variables }
  return withWarnings(c, unknownInStart(model, variables as Variables), async () => {
    await services.act(c, { id, modelId, initiator: c.get('principal').name }, { kind: 'start', wanted })
    return entityResponse(await writeWorkflow(services, c, await services.load(c, id)), 201)
  })
}

/** The document of a workflow. @throws notFound for one that does not exist, or may not be seen. */
const documentOf = (session: Session, id: string) => getNamedDocument(session, id, `Workflow ${id}`)

/** A route for those who may read it, and those who have an open task of it. @throws notFound for everybody else. */
const seenRoute = async (services: WorkflowServices, c: RequestContext, id: string): Promise<Route> => {
  const session = services.session(c)
  const { resultsCount } = await findOpenTasks(session, { routeId: id }, { pageSize: 1 })
  if (resultsCount === 0) await documentOf(session, id)
  return services.load(c, id)
}

export const svgResponse = (text: string): Response =>
  new Response(text, {
    headers: {
      'Content-Type': SVG,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  })

/** Workflows (workflow-audit.md §1). */
export const createWorkflowRoutes = (services: WorkflowServices): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const at = `${API}/workflow`

  routes.post(at, (c) => startByRequest(services, c))

  routes.get(at, async (c) => {
    requireJsonAccepted(c)
    const { workflowModelName: modelId } = parseQuery(c, modelQuery)
    const found = await findOpenRoutes(services.session(c), { initiator: c.get('principal').name, modelId })
    const entries = await Promise.all(found.map((route) => writeWorkflow(services, c, route)))
    return entityResponse({ 'entity-type': 'workflows', ...{ entries } })
  })

  routes.get(`${at}/:id`, async (c) => {
    requireJsonAccepted(c)
    const { id } = await documentOf(services.session(c), c.req.param('id'))
    return entityResponse(await writeWorkflow(services, c, await services.load(c, id)))
  })

  routes.get(`${at}/:id/graph`, async (c) =>
    entityResponse(
      graphEntity(
        await seenRoute(services, c, c.req.param('id')),
        languagesOf(c.req.header('Accept-Language')),
      ),
    ),
  )

  routes.get(`${at}/:id/diagram`, async (c) => {
    const { model, state } = await seenRoute(services, c, c.req.param('id'))
    return svgResponse(diagramOf(model, state))
  })

  routes.get(`${at}/:id/escalations`, async (c) => {
    const session = services.session(c)
    const { id } = await documentOf(session, c.req.param('id'))
    const entries = await session.stores.routes.escalations(id)
    return entityResponse({ 'entity-type': 'escalations', ...{ entries } })
  })

  routes.delete(`${at}/:id`, async (c) => {
    await services.act(c, await services.load(c, c.req.param('id')), { kind: 'cancel' })
    return new Response(null, { status: 204 })
  })

  return routes
}
