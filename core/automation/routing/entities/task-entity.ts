import type { Session } from '../../../content/documents/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import { jsonOf } from '../../language/index.js'
import { type Route, scopeOf } from '../instances/index.js'
import { type Button, expressionSource, type NodeModel, variableSchemas } from '../model/index.js'
import type { Task } from '../tasks/index.js'

/** @property api the address of the REST API, without a slash at its end. */
export type EntityPlace = { session: Session; api: string }

const listed = (ids: readonly string[]) => ids.map((id) => ({ id }))

/** Whether a button is shown; one whose filter cannot be evaluated is not. */
const isShown = async (
  { session }: EntityPlace,
  { filter }: Button,
  { route, task }: { route: Route; task: Task },
): Promise<boolean> => {
  if (!filter) return true
  const scope = scopeOf({ route, node: task.node, due: task.dueDate })
  const variables = Object.fromEntries(Object.entries(scope).map(([name, value]) => [name, jsonOf(value)]))
  const { principal, now } = session
  try {
    const shown = await session.expressions.evaluate(expressionSource(filter), {
      ...{ input: null, variables, principal, now, env: {} },
    })
    return shown === true
  } catch (error) {
    if (isArchivoltError(error) && !error.retryable) return false
    throw error
  }
}

const actionsOf = async (
  place: EntityPlace,
  { node, route, task }: { node: NodeModel | undefined; route: Route | undefined; task: Task },
) => {
  const buttons = [...(node?.taskButtons ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
  const shown: object[] = []
  for (const button of buttons) {
    if (!route || !(await isShown(place, button, { route, task }))) continue
    const { name, label, validate } = button
    shown.push({ name, url: `${place.api}/task/${task.id}/${name}`, label, validate })
  }
  return shown
}

/** Variables of the node, and those of the route that the node lists. */
const variablesOf = ({ model, state }: Route, node: string): { [name: string]: PropertyValue } => {
  const listedNames = model.nodes[node]?.globalVariables ?? []
  return {
    ...Object.fromEntries(listedNames.map((name) => [name, state.variables[name] ?? null])),
    ...state.nodes[node]?.variables,
  }
}

const schemasOf = ({ modelId, model }: Route, { node, api }: { node: string; api: string }) =>
  variableSchemas(modelId, node, model).map(({ name }) => ({
    name,
    url: `${api}/config/schemas/${encodeURIComponent(name)}`,
  }))

/** What a task says of its route; nothing when the route is gone. */
const ofRoute = (route: Route | undefined, { api }: EntityPlace) =>
  route && {
    workflowModelName: route.modelId,
    workflowInitiator: route.initiator,
    workflowTitle: route.model.title,
    workflowLifeCycleState: route.status,
    graphResource: `${api}/workflow/${route.id}/graph`,
  }

/** A task as clients see it (workflow-audit.md §1, task). */
export const taskEntity = async (place: EntityPlace, task: Task, route: Route | undefined) => {
  const { session, api } = place
  const node = route?.model.nodes[task.node]
  const layout = node?.taskLayout ?? ''
  const documents = await session.stores.documents.briefly(task.documentIds, [])
  return {
    'entity-type': 'task' as const,
    id: task.id,
    name: task.name,
    workflowInstanceId: task.routeId,
    ...ofRoute(route, place),
    state: task.state,
    directive: task.directive,
    created: task.created,
    dueDate: task.dueDate,
    nodeName: task.node,
    targetDocumentIds: listed(documents.map(({ id }) => id)),
    actors: listed(task.actors),
    delegatedActors: listed(task.delegatedActors),
    comments: task.comments.map(({ author, text, creationDate }) => ({ author, text, date: creationDate })),
    variables: route ? variablesOf(route, task.node) : { ...task.variables },
    taskInfo: {
      allowTaskReassignment: node?.allowTaskReassignment ?? false,
      taskActions: await actionsOf(place, { node, route, task }),
      layoutResource: { name: layout, url: `${api}/layout-manager/layouts/?layoutName=${layout}` },
      schemas: route ? schemasOf(route, { node: task.node, api }) : [],
    },
  }
}

export type TaskEntity = Awaited<ReturnType<typeof taskEntity>>
