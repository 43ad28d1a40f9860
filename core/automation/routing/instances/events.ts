import {
  documentEvent,
  type EventOptions,
  emit,
  privileged,
  type Session,
} from '../../../content/documents/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import type { Task } from '../tasks/index.js'
import type { Route } from './instance.js'
import { nodeVariables } from './scope.js'

const CATEGORY = 'Routing'

type Infos = { [key: string]: PropertyValue }

const routeInfos = ({ modelId, model, initiator }: Route): Infos => ({
  modelId,
  modelName: modelId,
  modelTitle: model.title,
  workflowInitiator: initiator,
})

const since = ({ now }: Session, date: Date | string | null): number | null =>
  date === null ? null : now.getTime() - new Date(date).getTime()

const emitOn = async (session: Session, id: string, event: string, options: EventOptions): Promise<void> => {
  const document = await session.stores.documents.get(id)
  if (document)
    await emit(session, document, [documentEvent(event, document, { category: CATEGORY, ...options })])
}

/** Emits an event of a route on its own document (workflow-audit.md §3). */
export const emitOfRoute = (
  session: Session,
  route: Route,
  event: 'afterWorkflowStarted' | 'afterWorkflowFinish' | 'beforeWorkflowCanceled',
): Promise<void> => {
  const infos: Infos = {
    ...routeInfos(route),
    workflowVariables: route.state.variables,
    ...(event === 'afterWorkflowFinish' && { timeSinceWfStarted: since(session, route.startedAt) }),
    ...(event === 'beforeWorkflowCanceled' && {
      pendingNodes: Object.keys(route.state.nodes).filter(
        (id) => route.state.nodes[id]?.state === 'suspended',
      ),
    }),
  }
  return emitOn(privileged(session), route.id, event, { extendedInfos: infos })
}

type TaskEvent = {
  event:
    | 'afterWorkflowTaskCreated'
    | 'afterWorkflowTaskEnded'
    | 'afterWorkflowTaskReassigned'
    | 'afterWorkflowTaskDelegated'
  /** What of this event alone is told. */
  infos: Infos
}

/** Emits an event of a task on its document. */
export const emitOfTask = (
  session: Session,
  { route, task }: { route: Route; task: Task },
  { event, infos }: TaskEvent,
): Promise<void> => {
  const isCreated = event === 'afterWorkflowTaskCreated'
  const isChange = event.endsWith('Reassigned') || event.endsWith('Delegated')
  return emitOn(privileged(session), task.id, event, {
    extendedInfos: {
      ...routeInfos(route),
      taskName: task.node,
      taskActor: session.principal.name,
      ...infos,
      ...(!isChange && {
        nodeVariables: nodeVariables(route, task.node),
        workflowVariables: route.state.variables,
      }),
      timeSinceWfStarted: since(session, route.startedAt),
      ...(!isCreated && { timeSinceTaskStarted: since(session, task.created) }),
    },
  })
}

/** Emits an event on each document of a route or a task, with what is told there. */
export const emitOnDocuments = async (
  session: Session,
  documentIds: readonly string[],
  { event, options = {} }: { event: string; options?: EventOptions },
): Promise<void> => {
  for (const id of documentIds) await emitOn(privileged(session), id, event, options)
}

/** Emits on the documents of a task what has become of it. */
export const emitAboutTask = (
  session: Session,
  task: Task,
  event:
    | 'workflowTaskAssigned'
    | 'workflowTaskReassigned'
    | 'workflowTaskCompleted'
    | 'workflowTaskDelegated',
): Promise<void> => {
  const { directive, dueDate } = task
  return emitOnDocuments(session, task.documentIds, {
    event,
    options: { taskId: task.id, extendedInfos: { directive, dueDate } },
  })
}
