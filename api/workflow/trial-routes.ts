import { Hono } from 'hono'
import { CHAINS } from '../../core/automation/chains/index.js'
import type { ChainDefinition } from '../../core/automation/language/index.js'
import { getRouteModel } from '../../core/automation/routing/instances/index.js'
import { type RouteModel, routesPoint } from '../../core/automation/routing/model/index.js'
import { addPeriod } from '../../core/model/nxql/index.js'
import type { DeployCall } from '../../core/platform/contributions/index.js'
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

  /**
   * The model and the chains of a request, checked together as if they were deployed. The model is undefined for the one
   * that is deployed.
   */
  const contentsOf = async (
    c: RequestContext,
    { name, model, chains }: { name: string; model: object | undefined; chains: object },
  ): Promise<{ model: RouteModel | undefined; chains: ChainDefinition[] }> => {
    if (model === undefined) getRouteModel(services.session(c), name)
    const principal = c.get('principal')
    const callOf = (to: string, id: string, content: unknown): DeployCall => ({
      ...{ principal, point: to, name: id, precondition: {} },
      ...{ text: JSON.stringify(content), format: 'json' },
    })
    const ofChains = Object.entries(chains).map(([id, chain]) => callOf(CHAINS, id, chain))
    const calls = [...ofChains, ...(model ? [callOf(point, name, model)] : [])]
    const planned = calls.length === 0 ? [] : await services.deployments.planAll(calls)
    return {
      model: model && schema.parse(model),
      // What the chains' handler has examined is a checked definition.
      chains: planned.slice(0, ofChains.length).map(({ content }) => content as ChainDefinition),
    }
  }

  routes.post(`${API}/workflowModel/:name/trial`, async (c) => {
    if (!c.get('principal').isAdministrator)
      throw fail('forbidden', 'Only administrators may try models of workflows')
    const { maxJsonBytes } = services.rest.platform.settings.http
    const asked = parseInput(trialRequest, await readJson(c, maxJsonBytes))
    const name = c.req.param('name')
    const startedAt = asked.startedAt === undefined ? new Date() : new Date(asked.startedAt)
    const { model, chains } = await contentsOf(c, { name, model: asked.model, chains: asked.chains })
    const trial = {
      ...{ modelId: name, model, documentIds: asked.attachedDocumentIds, variables: asked.variables },
      ...{ answers: asked.answers, startedAt, until: endOf(startedAt, asked.end) },
    }
    const result = await services.tryOut(c, trial, chains)
    const about = { workflowModelName: name, startedAt: startedAt.toISOString() }
    return entityResponse({ 'entity-type': 'workflowTrial', ...about, ...result })
  })

  return routes
}
