import { join } from 'node:path'
import { Hono } from 'hono'
import { stringify } from 'yaml'
import { diagramOf, modelEntity } from '../../core/automation/routing/entities/index.js'
import { readExportArchive } from '../../core/automation/routing/exported/index.js'
import { getRouteModel, graphEntity } from '../../core/automation/routing/instances/index.js'
import { routesPoint } from '../../core/automation/routing/model/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { file, routeGroup } from '../openapi/index.js'
import { entityResponse, languagesOf, requireJsonAccepted } from '../rest/index.js'
import type { WorkflowServices } from './services.js'
import { drawing, graphSchema, workflowEntitySchema, workflowsSchema } from './workflow.schema.js'
import { svgResponse } from './workflow-routes.js'

const ZIP = 'application/zip'
const MAX_ARCHIVE = 10 * 1024 * 1024

export const modelDocs = routeGroup({ tag: 'workflows', path: { modelName: 'Name of the model' } })({
  importWorkflowModel: [
    'POST /workflowModel',
    'Deploys a model that the reference platform has exported, for administrators',
    {
      description:
        'It becomes a contribution to the extension point `routes`, and is checked like any other.',
      body: { [ZIP]: file },
      201: workflowEntitySchema,
      errors: [400, 409, 422],
    },
  ],
  listWorkflowModels: ['GET /workflowModel', 'The models of workflows', { 200: workflowsSchema }],
  getWorkflowModel: [
    'GET /workflowModel/{modelName}',
    'A model of workflows',
    { 200: workflowEntitySchema, errors: [404] },
  ],
  getWorkflowModelGraph: [
    'GET /workflowModel/{modelName}/graph',
    'Its nodes and transitions',
    { 200: graphSchema, errors: [404] },
  ],
  getWorkflowModelDiagram: [
    'GET /workflowModel/{modelName}/diagram',
    'A drawing of it',
    { 200: drawing, errors: [404] },
  ],
})

/** Models of workflows (workflow-audit.md §1). */
export const createModelRoutes = (services: WorkflowServices): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const at = `${API}/workflowModel`
  const modelIn = (c: RequestContext, name: string) => getRouteModel(services.session(c), name)

  routes.get(at, (c) => {
    requireJsonAccepted(c)
    const models = [...services.session(c).contributions.get(routesPoint)]
    const entries = models.map(([name, model]) => modelEntity(name, model, services.api(c)))
    return entityResponse({ 'entity-type': 'workflows', ...{ entries } })
  })

  routes.post(at, async (c) => {
    const principal = c.get('principal')
    if (!principal.isAdministrator) throw fail('forbidden', 'Only administrators may deploy models')
    if (c.req.header('Content-Type')?.split(';')[0]?.trim() !== ZIP)
      throw fail('unsupportedMediaType', `Content-Type: ${ZIP} is expected`)
    const bytes = new Uint8Array(await c.req.arrayBuffer())
    if (bytes.length > MAX_ARCHIVE)
      throw fail('tooLarge', `The request body is larger than ${MAX_ARCHIVE} bytes`)
    const { settings } = services.rest.platform
    const { name, model } = await readExportArchive(bytes, join(settings.home, 'tmp'))
    const text = stringify(model)
    const { point } = routesPoint
    await services.deployments.deploy({ principal, point, name, text, format: 'yaml', precondition: {} })
    return entityResponse(modelEntity(name, modelIn(c, name), services.api(c)), 201)
  })

  routes.get(`${at}/:name`, (c) => {
    requireJsonAccepted(c)
    const name = c.req.param('name')
    return entityResponse(modelEntity(name, modelIn(c, name), services.api(c)))
  })

  routes.get(`${at}/:name/graph`, (c) =>
    entityResponse(
      graphEntity({ model: modelIn(c, c.req.param('name')) }, languagesOf(c.req.header('Accept-Language'))),
    ),
  )

  routes.get(`${at}/:name/diagram`, (c) => svgResponse(diagramOf(modelIn(c, c.req.param('name')))))

  return routes
}
