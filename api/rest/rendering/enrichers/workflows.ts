import {
  findOpenRoutes,
  modelEntity,
  taskEntity,
  workflowEntity,
} from '../../../../core/automation/routing/entities/index.js'
import { isRunnableOn, loadRoutes } from '../../../../core/automation/routing/instances/index.js'
import { routesPoint } from '../../../../core/automation/routing/model/index.js'
import { findOpenTasks, taskOf } from '../../../../core/automation/routing/tasks/index.js'
import { type Enricher, each } from './enricher.js'

/** The caller's open tasks on the document. */
export const pendingTasks: Enricher = {
  name: 'pendingTasks',
  enrich: each(async ({ id: documentId }, { session, links: { api } }) => {
    const filter = { documentId, actor: session.principal.name }
    const tasks = (await findOpenTasks(session, filter)).entries.map(taskOf)
    const routes = await loadRoutes(
      session,
      tasks.flatMap(({ routeId }) => (routeId ? [routeId] : [])),
    )
    const entities = tasks.map((task) => taskEntity({ session, api }, task, routes.get(task.routeId)))
    return { pendingTasks: await Promise.all(entities) }
  }),
}

/** Workflows of the document that are ready or run. */
export const runningWorkflows: Enricher = {
  name: 'runningWorkflows',
  enrich: each(async ({ id: documentId }, { session, links: { api } }) => {
    const routes = await findOpenRoutes(session, { documentId })
    return { runningWorkflows: routes.map((route) => workflowEntity(route, api)) }
  }),
}

/** Models that the caller may start on the document. */
export const runnableWorkflows: Enricher = {
  name: 'runnableWorkflows',
  enrich: each(async (document, { session, links: { api } }) => {
    const runnable: object[] = []
    for (const [name, model] of session.contributions.get(routesPoint))
      if (await isRunnableOn(session, model, document)) runnable.push(modelEntity(name, model, api))
    return { runnableWorkflows: runnable }
  }),
}
