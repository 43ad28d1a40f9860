import { type TaskEntity, taskEntity, workflowEntity } from '../../core/automation/routing/entities/index.js'
import { loadRoutes, type Route } from '../../core/automation/routing/instances/index.js'
import { type Task, taskOf } from '../../core/automation/routing/tasks/index.js'
import {
  type DocumentPage,
  keepReadable,
  LISTED_PROPERTIES,
  pagingFields,
} from '../../core/content/documents/index.js'
import type { RequestContext } from '../edge/index.js'
import { userEntities } from '../identity/index.js'
import { entityOptions } from '../rest/index.js'
import type { WorkflowServices } from './services.js'

type Id = { id: string }

const bare = (actor: string): string => actor.replace(/^user:/, '')

/** Users by their names; names that nobody has stand for themselves. */
const usersOf = async (services: WorkflowServices, c: RequestContext, names: readonly string[]) => {
  const session = services.session(c)
  const users = await session.identities.users([...new Set(names.map(bare))])
  return new Map((await userEntities(session, users)).map((entity) => [entity.id, entity]))
}

/** Documents that the caller may read take the place of their ids. */
const documentsOf = async ({ rest, session }: WorkflowServices, c: RequestContext, ids: readonly Id[]) => {
  const own = session(c)
  const renderer = rest.renderer(c, own)
  const wanted = ids.map(({ id }) => id)
  const { documents } = own.stores
  const found = renderer.isPlain
    ? await documents.briefly(wanted, LISTED_PROPERTIES)
    : await documents.getMany(wanted)
  return renderer.many(await keepReadable(own, found))
}

/** A workflow with what `fetch.workflow` asks for. */
export const writeWorkflow = async (services: WorkflowServices, c: RequestContext, route: Route) => {
  const entity = workflowEntity(route, services.api(c))
  const { fetch } = entityOptions(c, 'workflow')
  const users = fetch.includes('initiator') ? await usersOf(services, c, [entity.initiator]) : undefined
  return {
    ...entity,
    ...(users && { initiator: users.get(entity.initiator) ?? entity.initiator }),
    ...(fetch.includes('attachedDocumentIds') && {
      attachedDocumentIds: await documentsOf(services, c, entity.attachedDocumentIds),
    }),
  }
}

const fetched = async (services: WorkflowServices, c: RequestContext, entity: TaskEntity) => {
  const { fetch } = entityOptions(c, 'task')
  if (fetch.length === 0) return entity
  const { workflowInitiator = '', actors } = entity
  const users = await usersOf(services, c, [workflowInitiator, ...actors.map(({ id }) => id)])
  return {
    ...entity,
    ...(fetch.includes('actors') && { actors: actors.map((actor) => users.get(bare(actor.id)) ?? actor) }),
    ...(fetch.includes('workflowInitiator') && {
      workflowInitiator: users.get(workflowInitiator) ?? workflowInitiator,
    }),
    ...(fetch.includes('targetDocumentIds') && {
      targetDocumentIds: await documentsOf(services, c, entity.targetDocumentIds),
    }),
  }
}

/**
 * Tasks with what `fetch.task` asks for.
 *
 * @param known their routes; absent: they are read.
 */
export const writeTasks = async (
  services: WorkflowServices,
  c: RequestContext,
  tasks: readonly Task[],
  known?: ReadonlyMap<string, Route>,
) => {
  const session = services.session(c)
  const place = { session, api: services.api(c) }
  const ids = tasks.flatMap(({ routeId }) => (routeId ? [routeId] : []))
  const routes = known ?? (await loadRoutes(session, ids))
  return Promise.all(
    tasks.map(async (task) => fetched(services, c, await taskEntity(place, task, routes.get(task.routeId)))),
  )
}

/** A page of tasks. */
export const writeTaskPage = async (services: WorkflowServices, c: RequestContext, page: DocumentPage) => ({
  'entity-type': 'tasks' as const,
  ...pagingFields(page, { shown: page.entries.length, isSortable: false }),
  entries: await writeTasks(services, c, page.entries.map(taskOf)),
})
