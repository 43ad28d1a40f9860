import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../execution/index.js'
import type { OperationContext } from '../../language/index.js'
import type { ChainOfNode, RouteHost, RouteState, TaskInfo } from '../graph/index.js'
import { isMarked, type NodeModel, type Variables as RouteVariables } from '../model/index.js'
import {
  type Acting,
  closeTasks,
  createTask,
  type Grant,
  getTask,
  grantOnDocuments,
  notifyAssignees,
  passedOnBy,
  requireModestShares,
  type Task,
} from '../tasks/index.js'
import { type Assignees, assigneesOf } from './assignees.js'
import { runChainAt, setChanged } from './chain-variables.js'
import { emitAboutTask, emitOfTask, writeEvents } from './events.js'
import { firstInitiator, type Route } from './instance.js'
import { noteOf } from './note.js'
import { dueDateIn, isTrueIn, textIn } from './scope.js'
import { settersFor } from './setters.js'
import { getRouteModel } from './start-route.js'

/** Starts a route inside of another one. @returns its id, and whether it has ended. */
export type StartNested = (wanted: {
  modelId: string
  variables: RouteVariables
  parent: { route: Route; node: string }
}) => Promise<{ id: string; isDone: boolean }>

const nodeIn = ({ model }: Route, id: string): NodeModel => {
  const node = model.nodes[id]
  if (!node) throw fail('conflict', `The workflow has no node ${id}`)
  return node
}

/** The task type of a node; what the reference calls `TaskDoc` is made as its own kind. */
const taskTypeOf = ({ taskDocType }: NodeModel): string =>
  taskDocType === '' || taskDocType === 'TaskDoc' ? 'RoutingTask' : taskDocType

/** Who moves a route. */
export type MovedBy = {
  comment?: string
  /** Who has chosen something with the move. */
  acting?: Acting | undefined
  /** Whether the move comes with variables that its caller has chosen; absent: where somebody acts so. */
  isChosenNow?: boolean
}

/** What a move of a route does in the transaction of a context, which has every right there. */
export const createHost = (
  context: OperationContext,
  {
    route,
    comment = '',
    acting,
    isChosenNow = acting !== undefined,
    startNested,
  }: MovedBy & { route: Route; startNested: StartNested },
): RouteHost => {
  const { session, signal } = context
  const note = noteOf(context, route)

  /** Those who have got a task in this move. */
  let assigned = 0

  const createOne = (
    { id, model }: { id: string; model: NodeModel },
    { actors, dueDate }: { actors: string[]; dueDate: string },
  ): Promise<Task> => {
    throwIfStopped(signal)
    const { title, taskDirective, taskDescription } = model
    return createTask(session, {
      type: taskTypeOf(model),
      name: title || id,
      node: id,
      route,
      directive: taskDirective,
      description: taskDescription,
      initiator: route.initiator,
      actors,
      documentIds: route.documentIds,
      dueDate,
    })
  }

  /**
   * Who has started the whole, who has set what a sub-workflow's name is made of, and who moves it on could start it.
   *
   * @throws forbidden for a document on which one of them has not what the model asks.
   */
  const requireMayChoose = async (expression: string, modelId: string): Promise<void> => {
    const { permission } = getRouteModel(session, modelId)
    const setters = [...settersFor(route, expression), session.principal.name]
    const passedOn = passedOnBy(session, { initiator: () => firstInitiator(session, route), acting, setters })
    for (const document of await session.stores.documents.briefly(route.documentIds, []))
      if ((await passedOn(document, permission)) !== permission)
        throw fail(
          'forbidden',
          `Sub-workflow ${modelId}: who has chosen it, or moves it on, has not ${permission} on document ${document.id}`,
        )
  }

  /** What the tasks of a node grant: what the model names in full, what was chosen as far as it may be. */
  const grantsOf = (
    { taskAssigneesPermission: permission, taskAssigneesExpr }: NodeModel,
    tasks: readonly Task[],
    { named, strangers }: Assignees,
  ): Grant[] => {
    if (permission === undefined) return []
    const passedOn = passedOnBy(session, {
      initiator: () => firstInitiator(session, route),
      acting,
      setters: settersFor(route, taskAssigneesExpr),
    })
    return tasks.flatMap((task): Grant[] => {
      const grant = { task, kind: 'routing' as const, permission }
      const chosen = task.actors.filter((actor) => !named.has(actor) && !strangers.has(actor))
      return [
        { ...grant, actors: chosen, passedOn },
        { ...grant, actors: task.actors.filter((actor) => named.has(actor)) },
      ]
    })
  }

  const announceTask = async (
    { id, model }: { id: string; model: NodeModel },
    task: Task,
  ): Promise<TaskInfo> => {
    throwIfStopped(signal)
    const { actors } = task
    note?.({ kind: 'taskCreated', node: id, actors, ...(task.dueDate !== null && { dueDate: task.dueDate }) })
    await emitOfTask(session, { route, task }, { event: 'afterWorkflowTaskCreated', infos: { actors } })
    await emitAboutTask(session, { route, task }, 'workflowTaskAssigned')
    route.created.set(task.id, task)
    await notifyAssignees(context, task, { actors, template: model.taskNotificationTemplate })
    return { taskId: task.id, actor: null, comment: null, status: null, ended: false }
  }

  return {
    now: () => session.now,

    runChain: async (_: RouteState, { node, chain, transition }: ChainOfNode) => {
      const place = {
        route,
        node,
        comment,
        isMoving: true,
        ...(transition && { transition: transition.name }),
      }
      note?.({ kind: 'chainExecuted', node, chain, ...(transition && { transitions: [transition.name] }) })
      // What the chain emits comes after what was emitted before, and it may change tasks.
      await writeEvents(session, route)
      setChanged(route, node, await runChainAt(context, place, chain))
      route.created.clear()
    },

    isTrue: (_, { node, transition }) =>
      isTrueIn(context, {
        place: { route, node, comment, transition: transition.name },
        expression: transition.condition,
        what: `Transition ${transition.name} of node ${node}`,
      }),

    createTasks: async (_, id) => {
      const model = nodeIn(route, id)
      const place = { route, node: id, comment }
      const assigning = await assigneesOf(context, place, { node: model, isChosenNow })
      const { assignees } = assigning
      assigned += assignees.length
      const documents = route.documentIds.length
      requireModestShares(`Node ${id}`, { actors: assigned, documents })
      const dueDate = await dueDateIn(context, place, model.taskDueDateExpr)
      const created: Task[] = []
      for (const actors of model.hasMultipleTasks ? assignees.map((actor) => [actor]) : [assignees])
        created.push(await createOne({ id, model }, { actors, dueDate }))
      await grantOnDocuments(session, grantsOf(model, created, assigning), signal)
      const tasks: TaskInfo[] = []
      for (const task of created) tasks.push(await announceTask({ id, model }, task))
      return tasks
    },

    ...(note && {
      passed: (node, left) => note({ kind: left ? 'nodeLeft' : 'nodeEntered', node, ...left }),
    }),

    cancelTasks: async (_, tasks) => {
      const open: Task[] = []
      for (const { taskId } of tasks) {
        throwIfStopped(signal)
        const task = await getTask(session, taskId)
        if (task.state !== 'opened') continue
        note?.({ kind: 'tasksCancelled', node: task.node, actors: task.actors })
        open.push(task)
      }
      await closeTasks(session, open, { transition: 'cancel', signal })
      for (const { id } of open) route.created.delete(id)
    },

    startSubRoute: async (_, id) => {
      const place = { route, node: id, comment }
      const { subRouteModelExpr = '', subRouteVariables } = nodeIn(route, id)
      const modelId = String(await textIn(context, place, subRouteModelExpr))
      // What an expression gives may come from a caller in many ways; a name is the model's own.
      if (isMarked(subRouteModelExpr)) await requireMayChoose(subRouteModelExpr, modelId)
      const variables: RouteVariables = {}
      for (const { key, value } of subRouteVariables) variables[key] = await textIn(context, place, value)
      await writeEvents(session, route)
      return startNested({ modelId, variables, parent: { route, node: id } })
    },
  }
}
