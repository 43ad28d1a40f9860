import { Hono } from 'hono'
import {
  completeTask,
  delegateTask,
  hasHadTask,
  loadRoutes,
  modelOfRoute,
  reassignTask,
} from '../../core/automation/routing/instances/index.js'
import {
  requireSmall,
  unknownInCompletion,
  type Variables,
} from '../../core/automation/routing/model/index.js'
import {
  findOpenTasks,
  getTask,
  type Task,
  type TaskFilter,
} from '../../core/automation/routing/tasks/index.js'
import type { Session } from '../../core/content/documents/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import {
  entityResponse,
  pagingParameters,
  pagingQuery,
  readJson,
  requireJsonAccepted,
} from '../rest/index.js'
import { warningHeaders, withWarnings } from '../warnings/index.js'
import type { WorkflowServices } from './services.js'
import {
  actorsQuery,
  delegatesQuery,
  fetchedOfTask,
  taskEntitySchema,
  taskFilters,
  taskRequest,
  tasksSchema,
} from './workflow.schema.js'
import { writeTaskPage, writeTasks } from './write-entities.js'

const PAGE_SIZE = 20

export const tasksQuery = taskFilters.extend({
  ...pagingQuery.pick({ pageSize: true, currentPageIndex: true }).shape,
  ...fetchedOfTask.shape,
})

export const taskDocs = routeGroup({
  tag: 'workflows',
  path: { taskId: 'Id of the task', button: 'Name of the button' },
})({
  listTasks: ['GET /task', 'Open tasks, by their due dates', { query: tasksQuery, 200: tasksSchema }],
  getTask: ['GET /task/{taskId}', 'A task', { query: fetchedOfTask, 200: taskEntitySchema, errors: [403] }],
  reassignTask: [
    'PUT /task/{taskId}/reassign',
    'Gives a task to others',
    { query: actorsQuery, 200: 'They have it', errors: [409] },
  ],
  delegateTask: [
    'PUT /task/{taskId}/delegate',
    'Lets others end a task, too',
    { query: delegatesQuery, 200: 'They may', errors: [409] },
  ],
  completeTask: [
    'PUT /task/{taskId}/{button}',
    'Ends a task by a button, and moves its workflow on',
    { query: fetchedOfTask, body: taskRequest, 200: taskEntitySchema, errors: [409, 503], warns: true },
  ],
})

/** Lists open tasks as a request asks, and of the given document alone. */
export const listByRequest = async (
  services: WorkflowServices,
  c: RequestContext,
  more: TaskFilter = {},
): Promise<Response> => {
  requireJsonAccepted(c)
  const {
    userId: actor,
    workflowInstanceId: routeId,
    workflowModelName: modelId,
  } = parseQuery(c, taskFilters)
  const { pageSize = PAGE_SIZE, currentPageIndex } = pagingParameters(c)
  // A list by model has never had pages (workflow-audit.md §1, Task filters).
  const paging = modelId ? {} : { pageSize, currentPageIndex }
  const page = await findOpenTasks(services.session(c), { actor, routeId, modelId, ...more }, paging)
  return entityResponse(await writeTaskPage(services, c, page))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A task that somebody wants to end. @throws forbidden for whoever had it before it was given to others. */
const knownTask = async (session: Session, taskId: string): Promise<Task> => {
  try {
    return await getTask(session, taskId)
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'notFound' || !(await hasHadTask(session, taskId)))
      throw error
    throw fail('forbidden', `${session.principal.name} may not act on task ${taskId} any more`)
  }
}

/** Ends a task as a request asks. */
export const completeByRequest = async (
  services: WorkflowServices,
  c: RequestContext,
  { taskId, action }: { taskId: string; action: string },
): Promise<Response> => {
  requireJsonAccepted(c)
  const { maxJsonBytes } = services.rest.platform.settings.http
  const { comment: said, variables = {} } = parseInput(taskRequest, await readJson(c, maxJsonBytes))
  requireSmall(variables as Variables)
  // Some clients send it as a variable.
  const comment = said ?? textOf(variables.comment)
  const { id, node, routeId, routeName, initiator } = await knownTask(services.session(c), taskId)
  const completion = { taskId: id, action, comment, variables }
  const session = services.session(c)
  const load = () => loadRoutes(session, routeId === '' ? [] : [routeId])
  const warningsOf = (routes: Awaited<ReturnType<typeof load>>): string[] => {
    const model = routes.get(routeId)?.model.nodes[node]
    return model ? unknownInCompletion(model, { action, given: variables as Variables }) : []
  }
  if (routeId === '') await services.transact(c, (context) => completeTask(context, completion))
  else {
    const route = { id: routeId, modelId: modelOfRoute(routeName), initiator }
    await services.act(c, route, { kind: 'complete', completion }).catch(async (error: unknown) => {
      // Read for a failure alone: a word that is no button often is its reason.
      const headers = warningHeaders(warningsOf(await load()))
      for (const [name, value] of Object.entries(headers)) c.header(name, value)
      throw error
    })
  }
  const [task, routes] = await Promise.all([getTask(session, id), load()])
  const [entity] = await writeTasks(services, c, [task], routes)
  return withWarnings(c, warningsOf(routes), async () => entityResponse(entity!))
}

/** Tasks (workflow-audit.md §1). */
export const createTaskRoutes = (services: WorkflowServices): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const at = `${API}/task`

  routes.get(at, (c) => listByRequest(services, c))

  routes.get(`${at}/:id`, async (c) => {
    requireJsonAccepted(c)
    const task = await getTask(services.session(c), c.req.param('id'))
    const [entity] = await writeTasks(services, c, [task])
    return entityResponse(entity!)
  })

  const handedTo = (actors: readonly string[] | undefined, name: string): readonly string[] => {
    if (actors && actors.length > 0) return actors
    throw fail('badRequest', `${name}: is missing`)
  }

  routes.put(`${at}/:id/reassign`, async (c) => {
    const { actors, comment = '' } = parseQuery(c, actorsQuery)
    const handover = { taskId: c.req.param('id'), actors: handedTo(actors, 'actors'), comment }
    await services.transact(c, (context) => reassignTask(context, handover))
    return new Response(null, { status: 200 })
  })

  routes.put(`${at}/:id/delegate`, async (c) => {
    const { delegatedActors, comment = '' } = parseQuery(c, delegatesQuery)
    const actors = handedTo(delegatedActors, 'delegatedActors')
    const handover = { taskId: c.req.param('id'), actors, comment }
    await services.transact(c, (context) => delegateTask(context, handover))
    return new Response(null, { status: 200 })
  })

  routes.put(`${at}/:id/:action`, (c) =>
    completeByRequest(services, c, { taskId: c.req.param('id'), action: c.req.param('action') }),
  )

  return routes
}
