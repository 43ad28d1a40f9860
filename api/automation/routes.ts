import { Hono } from 'hono'
import type { Value } from '../../core/automation/language/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { parseQuery } from '../parse/index.js'
import { withWarnings } from '../warnings/index.js'
import { createAsyncRoutes } from './calls/async-routes.js'
import { createCalls } from './calls/calls.js'
import { callQuery } from './calls/calls.schema.js'
import { createExecution } from './calls/execute.js'
import { filesResponse } from './calls/files.js'
import { createResponses } from './calls/responses/responses.js'
import { warningsOfCall } from './calls/warnings.js'
import type { AutomationDependencies } from './dependencies.js'
import { docPage } from './doc/index.js'
import { createRegistryRoutes } from './registry/index.js'
import { createRunRoutes } from './runs/routes.js'
import { createScheduleRoutes } from './schedules/routes.js'

export type AutomationRoutes = {
  app: Hono<Environment>
  /**
   * A call whose address names its input, `…/@op/{id}`: an input in its body is ignored.
   *
   * @param body the JSON of the call; that of the request when absent.
   */
  callOn(c: RequestContext, id: string, input: Value, body?: object): Promise<Response>
  /** An operation in a run of its own, when it changes more than a request should wait for; else undefined. */
  runLarge(c: RequestContext, id: string, input: Value): Promise<Response | undefined>
}

/**
 * The automation service: the registry, synchronous and asynchronous calls (reference: automation.md §1).
 * Mounted at `/site/automation` and `/api/v1/automation`.
 */
export const createAutomationRoutes = (deps: AutomationDependencies): AutomationRoutes => {
  const calls = createCalls(deps)
  const answers = createResponses(deps)
  const { execute, executeLarge, dryRun, start } = createExecution(deps, { calls, answers })
  const app = new Hono<Environment>()

  app.post('/login', (c) => {
    const principal = c.get('principal')
    return c.json({
      'entity-type': 'login',
      username: principal.name,
      isAdministrator: principal.isAdministrator,
      groups: principal.groups,
    })
  })

  app.get('/doc', async (c) => {
    const registry = deps.registry()
    return docPage(c, {
      registry,
      names: deps.names(),
      isOpen: calls.opennessFor(c),
      temporal: deps.temporal,
    })
  })

  app.get('/files/:id', async (c) => {
    const { units } = deps.segments(deps.registry())
    const { session } = units.reading(c.get('principal'))
    return filesResponse(c, session, { ...deps.files, blobs: deps.blobs })
  })

  // Fixed paths come before `/{id}`.
  app.route('/runs', createRunRoutes(deps))
  app.route('/schedules', createScheduleRoutes(deps))
  app.route('/', createRegistryRoutes(deps.registry))

  app.post('/:id', async (c) => {
    const query = parseQuery(c, callQuery)
    const read = query.dryRun ? calls.read : calls.readAhead
    const call = await read(c, c.req.param('id'))
    if (!call) return c.body(null, 404)
    if (query.dryRun) return c.json({ ...(await dryRun(c, call)), warnings: warningsOfCall(c, call) })
    return withWarnings(c, warningsOfCall(c, call), () => execute(c, call))
  })

  app.route('/', createAsyncRoutes(deps, { calls, start, answer: answers.answer }))

  return {
    app,
    runLarge: async (c, id, input) => {
      const registry = deps.registry()
      return executeLarge(c, {
        id,
        callable: registry.get(id),
        request: { input, params: {}, variables: {} },
        principal: c.get('principal'),
        requestId: c.get('requestId'),
        registry,
      })
    },
    callOn: async (c, id, input, body) => {
      const call = await calls.readAhead(c, id, body)
      if (!call) return c.body(null, 404)
      return withWarnings(c, warningsOfCall(c, call), () =>
        execute(c, { ...call, request: { ...call.request, input } }),
      )
    },
  }
}
