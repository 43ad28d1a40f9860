import {
  documentEvent,
  type EventOptions,
  emit,
  privileged,
  type Session,
} from '../../../content/documents/index.js'
import type { DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import type { Task } from '../tasks/index.js'
import type { Route } from './instance.js'
import { nodeVariables } from './scope.js'
import { shownVariables } from './shown-variables.js'

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

const isSubscribed = ({ listeners }: Session, event: string): boolean => listeners.of(event).length > 0

/** Writes what a route has emitted so far; `saveRoute` does so with the route. */
export const writeEvents = async ({ stores }: Pick<Session, 'stores'>, { events }: Route): Promise<void> => {
  const written = events.splice(0)
  if (written.length > 0) await stores.outbox.emit(written)
}

/** Emits an event of a route: at once where somebody listens to it, else with what the route writes next. */
const emitOn = async (
  session: Session,
  { route, document }: { route: Route; document: DocumentRecord },
  event: string,
  options: EventOptions,
): Promise<void> => {
  const emitted = documentEvent(event, document, { category: CATEGORY, ...options })
  if (!isSubscribed(session, event)) {
    route.events.push(emitted)
    return
  }
  await writeEvents(session, route)
  await emit(session, document, [emitted])
}

/** Emits an event of a route on its own document (workflow-audit.md §3). */
export const emitOfRoute = (
  session: Session,
  { route, document }: { route: Route; document: DocumentRecord },
  event: 'afterWorkflowStarted' | 'afterWorkflowFinish' | 'beforeWorkflowCanceled',
): Promise<void> => {
  const infos: Infos = {
    ...routeInfos(route),
    workflowVariables: shownVariables(route.state.variables),
    ...(event === 'afterWorkflowFinish' && { timeSinceWfStarted: since(session, route.startedAt) }),
    ...(event === 'beforeWorkflowCanceled' && {
      // Those that waited are canceled by the same move.
      pendingNodes: Object.keys(route.state.nodes).filter(
        (id) => route.state.nodes[id]?.state === 'canceled',
      ),
    }),
  }
  return emitOn(privileged(session), { route, document }, event, { extendedInfos: infos })
}

type TaskEvent = {
  event:
    | 'afterWorkflowTaskCreated'
    | 'afterWorkflowTaskEnded'
    | 'afterWorkflowTaskReassigned'
    | 'afterWorkflowTaskDelegated'
  /** What this event alone carries. */
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
  return emitOn(privileged(session), { route, document: task.record }, event, {
    extendedInfos: {
      ...routeInfos(route),
      taskName: task.node,
      taskActor: session.principal.name,
      ...infos,
      ...(!isChange && {
        nodeVariables: shownVariables(nodeVariables(route, task.node)),
        workflowVariables: shownVariables(route.state.variables),
      }),
      timeSinceWfStarted: since(session, route.startedAt),
      ...(!isCreated && { timeSinceTaskStarted: since(session, task.created) }),
    },
  })
}

/**
 * Emits on the document of a route that one of its rules was executed, or has failed.
 *
 * @param error what it has failed with; null: it has not.
 */
export const emitEscalated = async (
  session: Session,
  route: Route,
  { node, rule, error }: { node: string; rule: string; error: string | null },
): Promise<void> => {
  const document = await session.stores.documents.get(route.id)
  if (!document) return
  const declared = route.model.nodes[node]?.escalationRules.find(({ name }) => name === rule)
  const extendedInfos: Infos = {
    ...routeInfos(route),
    ...{ taskName: node, taskActor: session.principal.name, rule },
    ...(declared && { ruleLabel: declared.label, chain: declared.chain }),
    outcome: error === null ? 'executed' : 'failed',
    ...(error !== null && { error }),
    nodeVariables: shownVariables(nodeVariables(route, node)),
    workflowVariables: shownVariables(route.state.variables),
    timeSinceWfStarted: since(session, route.startedAt),
    timeSinceTaskStarted: since(session, route.state.nodes[node]?.startDate ?? null),
  }
  await emitOn(privileged(session), { route, document }, 'afterWorkflowEscalated', { extendedInfos })
}

/** Emits an event on each document that a route is about. */
export const emitOnDocuments = async (session: Session, route: Route, event: string): Promise<void> => {
  for (const document of await session.stores.documents.getMany(route.documentIds))
    await emitOn(privileged(session), { route, document }, event, {})
}

/**
 * Emits on the documents of a task what has become of it.
 *
 * @param route whose task it is; absent for one of none.
 */
export const emitAboutTask = async (
  session: Session,
  { task, route }: { task: Task; route?: Route },
  event:
    | 'workflowTaskAssigned'
    | 'workflowTaskReassigned'
    | 'workflowTaskCompleted'
    | 'workflowTaskDelegated',
): Promise<void> => {
  const { directive, dueDate } = task
  const options = { taskId: task.id, extendedInfos: { directive, dueDate } }
  const inside = privileged(session)
  for (const document of await session.stores.documents.getMany(task.documentIds))
    if (route) await emitOn(inside, { route, document }, event, options)
    else await emit(inside, document, [documentEvent(event, document, { category: CATEGORY, ...options })])
}
