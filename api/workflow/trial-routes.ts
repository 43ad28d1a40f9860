import { Hono } from 'hono'
import { getRouteModel } from '../../core/automation/routing/instances/index.js'
import { type RouteModel, routesPoint } from '../../core/automation/routing/model/index.js'
import { addPeriod } from '../../core/model/nxql/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseInput } from '../parse/index.js'
import { entityResponse, readJson } from '../rest/index.js'
import type { WorkflowServices } from './services.js'
import { trialRequest, trialSchema } from './trial.schema.js'

export const trialDocs = routeGroup({ tag: 'workflows', path: { modelName: 'Name of the model' } })({
  tryWorkflowModel: [
    'POST /workflowModel/{modelName}/trial',
    'Runs a model with the clock turned forward, of which nothing is kept; for administrators',
    { body: trialRequest, 200: trialSchema, errors: [400, 403, 404, 409, 422] },
  ],
})

const endOf = (startedAt: Date, end: string): Date => {
  const until = end.startsWith('P') ? addPeriod(startedAt, end) : Date.parse(end)
  if (until === undefined)
    throw fail('badRequest', `end: "${end}" is neither a date nor a period such as P90D`)
  return new Date(until)
}

/** Trials of models of workflows. */
export const createTrialRoutes = (services: WorkflowServices): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const { point, schema } = routesPoint

  /** The model of a request, checked as if it were deployed; undefined for the one that is. */
  const modelOf = async (
    c: RequestContext,
    { name, model }: { name: string; model: object | undefined },
  ): Promise<RouteModel | undefined> => {
    if (model === undefined) {
      getRouteModel(services.session(c), name)
      return undefined
    }
    const text = JSON.stringify(model)
    const principal = c.get('principal')
    await services.deployments.plan({ principal, point, name, text, format: 'json', precondition: {} })
    return schema.parse(model)
  }

  routes.post(`${API}/workflowModel/:name/trial`, async (c) => {
    if (!c.get('principal').isAdministrator)
      throw fail('forbidden', 'Only administrators may try models of workflows')
    const { maxJsonBytes } = services.rest.platform.settings.http
    const asked = parseInput(trialRequest, await readJson(c, maxJsonBytes))
    const name = c.req.param('name')
    const startedAt = asked.startedAt === undefined ? new Date() : new Date(asked.startedAt)
    const result = await services.tryOut(c, {
      modelId: name,
      model: await modelOf(c, { name, model: asked.model }),
      documentIds: asked.attachedDocumentIds,
      variables: asked.variables,
      answers: asked.answers,
      startedAt,
      until: endOf(startedAt, asked.end),
    })
    const about = { workflowModelName: name, startedAt: startedAt.toISOString() }
    return entityResponse({ 'entity-type': 'workflowTrial', ...about, ...result })
  })

  return routes
}
