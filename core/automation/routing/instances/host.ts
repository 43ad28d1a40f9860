import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../execution/index.js'
import type { OperationContext } from '../../language/index.js'
import type { ChainOfNode, RouteHost, RouteState, TaskInfo } from '../graph/index.js'
import type { NodeModel, Variables as RouteVariables } from '../model/index.js'
import {
  type Acting,
  closeTask,
  createTask,
  distinct,
  type Grant,
  getTask,
  grantOnDocuments,
  MAX_ASSIGNEES,
  notifyAssignees,
  passedOnBy,
  requireFew,
  type Task,
} from '../tasks/index.js'
import { runChainAt, setChanged } from './chain-variables.js'
import { emitAboutTask, emitOfTask, writeEvents } from './events.js'
import { firstInitiator, type Route } from './instance.js'
import { noteOf } from './note.js'
import { actorsIn, dueDateIn, isTrueIn, type Place, textIn } from './scope.js'

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

/** What a move of a route does in the transaction of a context, which has every right there. */
export const createHost = (
  context: OperationContext,
  {
    route,
    comment = '',
    acting,
    startNested,
  }: { route: Route; comment?: string; acting?: Acting | undefined; startNested: StartNested },
): RouteHost => {
  const { session } = context
  const note = noteOf(context, route)

  const passedOn = passedOnBy(session, { initiator: () => firstInitiator(session, route), acting })

  /** Whom the expression of a node gives, by somebody's choice, and whom its model names. */
  const assigneesOf = async (place: Place, node: NodeModel) => {
    const { taskAssignees, taskAssigneesExpr } = node
    const chosen = taskAssigneesExpr === undefined ? [] : await actorsIn(context, place, taskAssigneesExpr)
    const assignees = distinct([...chosen, ...taskAssignees])
    if (assignees.length > 0) {
      requireFew(`Node ${place.node}: assignees of its task`, assignees, MAX_ASSIGNEES)
      return { assignees, named: new Set(taskAssignees) }
    }
    const reason = taskAssigneesExpr === undefined ? '' : `: ${taskAssigneesExpr} gives nobody`
    throw fail('conflict', `Node ${place.node}: nobody is assigned to its task${reason}`)
  }

  const createOne = (
    { id, model }: { id: string; model: NodeModel },
    { actors, dueDate }: { actors: string[]; dueDate: string },
  ): Promise<Task> => {
    throwIfStopped(context.signal)
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

  /** What the tasks of a node grant: what the model names in full, what was chosen as far as it may be. */
  const grantsOf = (
    { taskAssigneesPermission: permission }: NodeModel,
    tasks: readonly Task[],
    named: ReadonlySet<string>,
  ): Grant[] =>
    permission === undefined
      ? []
      : tasks.flatMap((task): Grant[] => {
          const grant = { task, kind: 'routing' as const, permission }
          return [
            { ...grant, actors: task.actors.filter((actor) => !named.has(actor)), passedOn },
            { ...grant, actors: task.actors.filter((actor) => named.has(actor)) },
          ]
        })

  const announceTask = async (
    { id, model }: { id: string; model: NodeModel },
    task: Task,
  ): Promise<TaskInfo> => {
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
      const { assignees, named } = await assigneesOf(place, model)
      const dueDate = await dueDateIn(context, place, model.taskDueDateExpr)
      const created: Task[] = []
      for (const actors of model.hasMultipleTasks ? assignees.map((actor) => [actor]) : [assignees])
        created.push(await createOne({ id, model }, { actors, dueDate }))
      await grantOnDocuments(session, grantsOf(model, created, named))
      const tasks: TaskInfo[] = []
      for (const task of created) tasks.push(await announceTask({ id, model }, task))
      return tasks
    },

    ...(note && {
      passed: (node, left) => note({ kind: left ? 'nodeLeft' : 'nodeEntered', node, ...left }),
    }),

    cancelTasks: async (_, tasks) => {
      for (const { taskId } of tasks) {
        const task = await getTask(session, taskId)
        if (task.state !== 'opened') continue
        note?.({ kind: 'tasksCancelled', node: task.node, actors: task.actors })
        await closeTask(session, task, { transition: 'cancel' })
        route.created.delete(taskId)
      }
    },

    startSubRoute: async (_, id) => {
      const place = { route, node: id, comment }
      const { subRouteModelExpr = '', subRouteVariables } = nodeIn(route, id)
      const modelId = String(await textIn(context, place, subRouteModelExpr))
      const variables: RouteVariables = {}
      for (const { key, value } of subRouteVariables) variables[key] = await textIn(context, place, value)
      await writeEvents(session, route)
      return startNested({ modelId, variables, parent: { route, node: id } })
    },
  }
}
