import { Hono } from 'hono'
import { fail } from '../../../core/platform/errors/index.js'
import type { Environment } from '../../edge/index.js'
import type { AutomationDependencies } from '../dependencies.js'
import { WORKFLOW_ID } from '../headers.js'

/** `/schedules` below the automation service, for administrators. */
export const createScheduleRoutes = ({
  schedules,
}: Pick<AutomationDependencies, 'schedules'>): Hono<Environment> => {
  const app = new Hono<Environment>()

  app.get('/', async (c) => {
    if (!c.get('principal').isAdministrator) throw fail('forbidden', 'Only administrators may list schedules')
    const reports = await schedules.list()
    const entries = reports.map((schedule) => ({ 'entity-type': 'schedule', ...schedule }))
    return c.json({ 'entity-type': 'schedules', entries })
  })

  app.post('/:name/run', async (c) => {
    if (!c.get('principal').isAdministrator) throw fail('forbidden', 'Only administrators may run schedules')
    const run = await schedules.run(c.req.param('name'))
    if (run.workflowId !== undefined) c.header(WORKFLOW_ID, run.workflowId)
    return c.json({ 'entity-type': 'scheduleRun', ...run }, 202)
  })

  return app
}
