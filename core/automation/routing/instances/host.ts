import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../execution/index.js'
import { jsonOf, type OperationContext, type Variables } from '../../language/index.js'
import type { ChainOfNode, RouteHost, RouteState, TaskInfo } from '../graph/index.js'
import { givenVariables, type NodeModel, type Variables as RouteVariables } from '../model/index.js'
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
import { emitAboutTask, emitOfTask, writeEvents } from './events.js'
import { firstInitiator, type Route } from './instance.js'
import { noteOf } from './note.js'
import { actorsIn, documentsOf, dueDateIn, isTrueIn, type Place, scopeOf, textIn } from './scope.js'

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

const mapOf = (variables: Variables, name: string): RouteVariables => {
  const value = variables[name] ? jsonOf(variables[name]) : null
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RouteVariables) : {}
}

/** Variables of a route and of its node that a chain has set. */
export type ChangedVariables = { workflow: RouteVariables; node: RouteVariables }

const changedIn = (before: RouteVariables, after: RouteVariables): RouteVariables =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
  )

/** Runs a chain at a place. @returns what it has set, for `setChanged`. */
export const runChainAt = async (
  context: OperationContext,
  place: Place & { node: string },
  chain: string,
): Promise<ChangedVariables> => {
  const given = scopeOf(place)
  const inside = context.within({ variables: { ...context.variables, ...given } })
  await inside.run({ id: chain, input: documentsOf(place.route), isolate: false })
  const changed = (name: string): RouteVariables =>
    changedIn(mapOf(given, name), mapOf(inside.variables, name))
  return { workflow: changed('WorkflowVariables'), node: changed('NodeVariables') }
}

/** Takes over what a chain has set of the variables that the model declares. */
export const setChanged = ({ model, state }: Route, id: string, changed: ChangedVariables): void => {
  Object.assign(state.variables, givenVariables(model.variables, changed.workflow))
  const [node, run] = [model.nodes[id], state.nodes[id]]
  if (node && run) Object.assign(run.variables, givenVariables(node.variables, changed.node))
}

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
