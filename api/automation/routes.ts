import { Hono } from 'hono'
import { writeYamlView } from '../../core/automation/chains/index.js'
import type { Value } from '../../core/automation/language/index.js'
import { chainOfOne } from '../../core/automation/planning/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { parseQuery } from '../parse/index.js'
import { callQuery } from './automation.schema.js'
import { createCalls } from './calls.js'
import type { AutomationDependencies } from './dependencies.js'
import { docPage } from './doc/index.js'
import { createExecution, WORKFLOW_ID } from './execute.js'
import { answerFiles } from './files.js'
import { chainJson, operationJson, registryJson } from './registry-json.js'
import { createRunRoutes } from './run-routes.js'

export type AutomationRoutes = {
  app: Hono<Environment>
  /** A call that names its input by its address, `…/@op/{id}`: that of its body is not looked at. */
  callOn(c: RequestContext, id: string, input: Value): Promise<Response>
}

/**
 * The automation service: the registry, calls, and calls that are not waited for (automation.md §1).
 * Mounted at `/site/automation` and `/api/v1/automation`.
 */
export const createAutomationRoutes = (deps: AutomationDependencies): AutomationRoutes => {
  const { runs } = deps
  const calls = createCalls(deps)
  const { execute, rehearse, start, answer } = createExecution(deps, calls)
  const app = new Hono<Environment>()

  app.get('/', async (c) => {
    const body = registryJson(await deps.registry())
    return c.body(JSON.stringify(body, null, c.req.query('pretty') === 'true' ? 2 : undefined), 200, {
      'content-type': 'application/json',
    })
  })

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
    const registry = await deps.registry()
    return docPage(c, {
      registry,
      names: deps.names(),
      isOpen: calls.opennessFor(c),
      temporal: deps.temporal,
    })
  })

  app.get('/files/:id', async (c) => {
    const { units } = deps.segments(await deps.registry())
    const { session } = units.reading(c.get('principal'))
    return answerFiles(c, session, { ...deps.files, blobs: deps.blobs })
  })

  app.route('/runs', createRunRoutes(deps))

  app.get('/schedules', async (c) => {
    if (!c.get('principal').isAdministrator)
      throw fail('forbidden', 'Schedules are shown to administrators alone')
    const schedules = await deps.schedules.list()
    const entries = schedules.map((schedule) => ({ 'entity-type': 'schedule', ...schedule }))
    return c.json({ 'entity-type': 'schedules', entries })
  })

  app.post('/schedules/:name/run', async (c) => {
    if (!c.get('principal').isAdministrator)
      throw fail('forbidden', 'Schedules are run by administrators alone')
    const run = await deps.schedules.run(c.req.param('name'))
    if (run.workflowId !== undefined) c.header(WORKFLOW_ID, run.workflowId)
    return c.json({ 'entity-type': 'scheduleRun', ...run }, 202)
  })

  app.get('/:id', async (c) => {
    const registry = await deps.registry(c.req.param('id'))
    const found = registry.get(c.req.param('id'))
    return c.json(
      found.kind === 'chain'
        ? chainJson(found.chain, registry, found.chain.id)
        : operationJson(found.operation),
    )
  })

  /** How chains are written is for administrators (automation.md §9); an operation has no steps to show. */
  app.get('/:id/yaml', async (c) => {
    const found = (await deps.registry(c.req.param('id'))).get(c.req.param('id'))
    if (found.kind === 'chain' && !c.get('principal').isAdministrator)
      throw fail('forbidden', 'Only administrators may read how a chain is written')
    const text = found.kind === 'chain' ? writeYamlView(found.chain) : '{}\n'
    return c.body(text, 200, { 'content-type': 'application/yaml' })
  })

  app.post('/:id', async (c) => {
    const { dryRun } = parseQuery(c, callQuery)
    const read = dryRun ? calls.read : calls.readAhead
    const call = await read(c, c.req.param('id'))
    if (!call) return c.body(null, 404)
    return dryRun ? c.json(await rehearse(c, call)) : execute(c, call)
  })

  const statusUrl = (c: RequestContext, id: string, workflowId: string): string =>
    `${deps.restRootOf(c)}/automation/${encodeURIComponent(id)}/@async/${encodeURIComponent(workflowId)}/status`

  app.post('/:id/@async', async (c) => {
    const call = await calls.read(c, c.req.param('id'))
    if (!call) return c.body(null, 404)
    const chain =
      call.callable.kind === 'chain'
        ? call.callable.chain
        : chainOfOne(call.callable.operation, call.request.params)
    const { workflowId } = await start(c, call, chain)
    c.header(WORKFLOW_ID, workflowId)
    c.header('Location', statusUrl(c, c.req.param('id'), workflowId))
    return c.body(null, 202)
  })

  app.get('/:id/@async/:execution/status', async (c) => {
    const workflowId = c.req.param('execution')
    const { status } = await runs.describe(workflowId, c.get('principal'))
    c.header(WORKFLOW_ID, workflowId)
    if (status === 'RUNNING') return c.json({ 'entity-type': 'string', value: 'RUNNING' })
    return c.redirect(statusUrl(c, c.req.param('id'), workflowId).replace(/\/status$/, ''), 303)
  })

  app.get('/:id/@async/:execution', async (c) => {
    const workflowId = c.req.param('execution')
    const { status } = await runs.describe(workflowId, c.get('principal'))
    if (status === 'RUNNING') throw fail('notFound', `The run ${workflowId} is not complete`)
    return answer(c, { workflowId, registry: await deps.registry() })
  })

  app.delete('/:id/@async/:execution', async (c) => {
    await runs.cancel(c.req.param('execution'), c.get('principal'))
    return c.json({ 'entity-type': 'string', value: 'ABORTED' })
  })

  return {
    app,
    callOn: async (c, id, input) => {
      const call = await calls.readAhead(c, id)
      return call ? execute(c, { ...call, request: { ...call.request, input } }) : c.body(null, 404)
    },
  }
}
