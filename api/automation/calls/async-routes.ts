import { Hono } from 'hono'
import { chainOfOne } from '../../../core/automation/planning/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../../edge/index.js'
import { withWarnings } from '../../warnings/index.js'
import type { AutomationDependencies } from '../dependencies.js'
import { WORKFLOW_ID } from '../headers.js'
import type { Calls } from './calls.js'
import type { Execution } from './execute.js'
import type { Responses } from './responses/responses.js'
import { statusAddress } from './run-address.js'
import { warningsOfCall } from './warnings.js'

/** Seconds until the next poll. */
const POLL_LATER = { 'Retry-After': '1' }

/** Asynchronous calls, `/{id}/@async`: started, followed, fetched and cancelled. */
export const createAsyncRoutes = (
  { workflows, registry, restRootOf }: AutomationDependencies,
  { calls, start, answer }: { calls: Calls } & Pick<Execution, 'start'> & Pick<Responses, 'answer'>,
): Hono<Environment> => {
  const app = new Hono<Environment>()

  const statusUrl = (c: RequestContext, id: string, workflowId: string): string =>
    statusAddress({ restRootOf }, c, { id, workflowId })

  app.post('/:id/@async', async (c) => {
    const call = await calls.read(c, c.req.param('id'))
    if (!call) return c.body(null, 404)
    const chain =
      call.callable.kind === 'chain'
        ? call.callable.chain
        : chainOfOne(call.callable.operation, call.request.params)
    return withWarnings(c, warningsOfCall(c, call), async () => {
      const { workflowId } = await start(c, call, chain)
      c.header(WORKFLOW_ID, workflowId)
      c.header('Location', statusUrl(c, c.req.param('id'), workflowId))
      return c.body(null, 202)
    })
  })

  app.get('/:id/@async/:execution/status', async (c) => {
    const workflowId = c.req.param('execution')
    const { status } = await workflows.find(workflowId, c.get('principal'))
    c.header(WORKFLOW_ID, workflowId)
    if (status === 'RUNNING') return c.json('RUNNING', 200, POLL_LATER)
    return c.redirect(statusUrl(c, c.req.param('id'), workflowId).replace(/\/status$/, ''), 303)
  })

  app.get('/:id/@async/:execution', async (c) => {
    const workflowId = c.req.param('execution')
    const { status } = await workflows.find(workflowId, c.get('principal'))
    if (status === 'RUNNING') throw fail('notFound', `The run ${workflowId} is not complete`)
    return answer(c, { workflowId, registry: registry() })
  })

  app.delete('/:id/@async/:execution', async (c) => {
    await workflows.cancel(c.req.param('execution'), c.get('principal'))
    return c.json({ 'entity-type': 'string', value: 'ABORTED' })
  })

  return app
}
