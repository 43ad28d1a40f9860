import { loadPrincipal } from '../../../access/identity/index.js'
import type { Principal } from '../../../access/security/index.js'
import { requireKnownName, type Session } from '../../../content/documents/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { OperationContext } from '../../language/index.js'
import { endTaskMove } from '../graph/index.js'
import { givenVariables, type Variables } from '../model/index.js'
import {
  type Acting,
  addTaskComment,
  bareActor,
  closeTask,
  distinct,
  getTask,
  grantOnDocuments,
  isAmong,
  kindOfActor,
  notifyAssignees,
  passedOnBy,
  requireActing,
  requireFew,
  requireModestShares,
  requireOpen,
  requireReadable,
  requireStillHeld,
  revokeOnDocuments,
  setActors,
  type Task,
  taskOf,
} from '../tasks/index.js'
import { showChanged, takeSet } from './chain-variables.js'
import { emitAboutTask, emitOfTask } from './events.js'
import { firstInitiator, loadRoute, loadRoutes, type Route, saveRoute } from './instance.js'
import { holdRoute, insideOf, moveRoute } from './move-route.js'
import { rememberSetter } from './setters.js'
import { shownVariables } from './shown-variables.js'

export type Completion = {
  taskId: string
  /** The button. */
  action: string
  comment?: string
  /** Of the node, and of the route where the node lists them; others are left out. */
  variables?: Variables
}

/** Takes over variables that come with the end of a task. @returns whether any are of the route. */
const setVariables = (
  route: Route,
  { node, variables, setter }: { node: string; variables: Variables; setter: Principal },
): boolean => {
  const { model, state } = route
  const declared = model.nodes[node]
  const run = state.nodes[node]
  if (!declared || !run) return false
  Object.assign(run.variables, givenVariables(declared.variables, variables))
  const listed = Object.entries(model.variables).filter(([name]) => declared.globalVariables.includes(name))
  const given = givenVariables(Object.fromEntries(listed), variables)
  Object.assign(state.variables, given)
  rememberSetter(route, Object.keys(given), setter)
  return Object.keys(given).length > 0
}

/** The chain that a task without a route runs at its end, by the button. */
const ownChain = ({ variables }: Task, action: string): string | undefined =>
  variables[/^reject/.test(action) ? 'rejectOperationChain' : 'acceptOperationChain']

/** Who acts on a task that is held, and its documents. @throws as `requireActing` and `requireReadable`. */
const actingOn = async (context: OperationContext, task: Task): Promise<Acting> => {
  const session = await requireActing(context.session, task)
  return { session, documents: await requireReadable(session, task) }
}

/** @throws forbidden for who has lost what the node of the task grants: see `requireStillHeld`. */
const requireNotLost = async (
  { session, documents }: Acting,
  { task, route: { model } }: { task: Task; route: Route },
): Promise<void> => {
  const { taskAssigneesPermission: granted = '', taskAssignees = [] } = model.nodes[task.node] ?? {}
  const isNamed = isAmong(session.principal, taskAssignees)
  await requireStillHeld(session, task, { documents, granted, toStart: model.permission, isNamed })
}

/** Ends a task that no route has made. */
const endAlone = async (
  context: OperationContext,
  task: Task,
  { action, comment }: { action: string; comment: string },
): Promise<Task> => {
  await requireReadable(await requireActing(context.session, task), task)
  const { session } = insideOf(context)
  const ended = await closeTask(session, task, {
    transition: 'end',
    signal: context.signal,
    ...(comment && { comment }),
  })
  await emitAboutTask(session, { task: ended }, 'workflowTaskCompleted')
  const chain = ownChain(task, action)
  const input = { type: 'documents', ids: task.documentIds } as const
  // Whoever made the task named the chain: it does no more than who ends the task may do.
  if (chain) await context.run({ id: chain, input, isolate: true })
  return ended
}

/**
 * Ends a task by a button, and moves its route on.
 *
 * @param context of who ends it.
 * @returns the task as it is then, for whoever has every right.
 * @throws notFound, forbidden for whom the task is not meant and for who may not read its documents any more, conflict for one that is not open any more, badRequest
 * for variables that do not fit, operationFailed when no transition is true.
 */
export const completeTask = async (context: OperationContext, completion: Completion): Promise<Task> => {
  const { taskId, action, comment = '' } = completion
  const asked = await getTask(context.session, taskId)
  requireOpen(context.session, asked)
  if (asked.routeId === '') return endAlone(context, asked, { action, comment })
  return (await completeTaskOf(context, { ...completion, routeId: asked.routeId })).task
}

/**
 * Ends a task of a route, as `completeTask`.
 *
 * @param options see `moveRoute`.
 * @throws notFound for a task of another route.
 */
export const completeTaskOf = async (
  context: OperationContext,
  { taskId, routeId, action, comment = '', variables = {} }: Completion & { routeId: string },
  { isFollowed }: { isFollowed?: boolean } = {},
): Promise<{ task: Task; route: Route }> => {
  const inside = insideOf(context)
  const route = await holdRoute(inside, routeId)
  // Before the route was held, somebody else might have ended it, or given it to others.
  const task = await getTask(inside.session, taskId)
  if (task.routeId !== routeId) throw fail('notFound', taskId)
  const acting = await actingOn(context, task)
  await requireNotLost(acting, { task, route })
  takeSet(context, route)
  const isChoosing = setVariables(route, { node: task.node, variables, setter: acting.session.principal })
  const closing = { transition: 'end', signal: context.signal, ...(comment && { comment }) } as const
  const ended = await closeTask(inside.session, task, closing)
  const infos = { data: shownVariables(variables), action, comment }
  await emitOfTask(inside.session, { route, task: ended }, { event: 'afterWorkflowTaskEnded', infos })
  await emitAboutTask(inside.session, { route, task: ended }, 'workflowTaskCompleted')
  const actor = context.session.principal.name
  const end = { node: task.node, taskId, actor, button: action, comment, setsComment: 'comment' in variables }
  await moveRoute(inside, route, (moved) => endTaskMove(moved, end), {
    comment,
    ...(isChoosing && { acting }),
    ...(isFollowed && { isFollowed }),
  })
  showChanged(context, route)
  return { task: ended, route }
}

export type Handover = { taskId: string; actors: readonly string[]; comment?: string }

/** @throws badRequest naming an actor whom nobody knows: the task would be for nobody. */
const requireKnown = async (session: Session, what: string, actors: readonly string[]): Promise<void> => {
  requireFew(what, actors)
  for (const actor of distinct(actors))
    await requireKnownName(session, bareActor(actor), { parameter: what, kind: kindOfActor(actor) })
}

/** The open task, and its route, for somebody who may pass it on. */
const handedOver = async (
  context: OperationContext,
  { taskId, actors, comment }: Handover,
  what: 'actors' | 'delegatedActors',
) => {
  const asked = await getTask(context.session, taskId)
  requireOpen(context.session, asked)
  if (actors.length === 0) throw fail('badRequest', `${what}: is missing`)
  const inside = insideOf(context)
  const route = await loadRoute(inside.session, asked.routeId, { hold: true })
  // Until the route was held it may have been ended, or given to others.
  const task = await getTask(inside.session, taskId)
  const acting = await actingOn(context, task)
  if (!route.state.nodes[task.node]?.tasks.some((own) => own.taskId === taskId && !own.ended))
    throw fail('conflict', `Task ${taskId} is not open any more`)
  requireModestShares(what, { actors: actors.length, documents: task.documentIds.length })
  await requireKnown(context.session, what, actors)
  const passedOn = passedOnBy(inside.session, {
    initiator: () => firstInitiator(inside.session, route),
    acting,
  })
  if (comment) await addTaskComment(inside.session, taskId, comment)
  return { task, inside, route, node: route.model.nodes[task.node], passedOn }
}

/**
 * Gives a task to others. @throws forbidden for whom the task is not meant; conflict where its node does not allow it.
 */
export const reassignTask = async (context: OperationContext, handover: Handover): Promise<Task> => {
  const { task, inside, route, node, passedOn } = await handedOver(context, handover, 'actors')
  const { session } = inside
  if (!node?.allowTaskReassignment)
    throw fail('conflict', `Node ${task.node} does not let its task be reassigned`)
  const actors = distinct(handover.actors)
  // Who had it delegated it: with his task ends what he let others do.
  await revokeOnDocuments(session, [task], { signal: context.signal })
  const { taskAssigneesPermission: permission } = node
  if (permission)
    await grantOnDocuments(session, [{ task, kind: 'routing', actors, permission, passedOn }], context.signal)
  const changed = await setActors(session, task, { actors, delegatedActors: [] })
  const info = route.state.nodes[task.node]?.tasks.find((own) => own.taskId === task.id)
  const former = [...task.actors, ...task.delegatedActors]
  if (info) info.formerActors = distinct([...(info.formerActors ?? []), ...former])
  const infos = { actors, comment: handover.comment ?? '' }
  await emitOfTask(session, { route, task: changed }, { event: 'afterWorkflowTaskReassigned', infos })
  await emitAboutTask(session, { route, task: changed }, 'workflowTaskReassigned')
  await notifyAssignees(inside, changed, { actors, template: node.taskNotificationTemplate })
  await saveRoute(session, route)
  return changed
}

/**
 * Whether somebody who may not read a task had it before it was given to others, or before leaving a group that has it a
 * moment ago.
 *
 * @param session of any rights.
 */
export const hasHadTask = async (session: Session, taskId: string): Promise<boolean> => {
  const record = await session.stores.documents.get(taskId)
  if (!record) return false
  const { routeId, node, actors, delegatedActors } = taskOf(record)
  const lost = (session.principal.lost ?? []).filter(({ until }) => until > session.now.getTime())
  const groups = lost.map(({ group }) => group)
  if (isAmong({ name: '', groups }, [...actors, ...delegatedActors])) return true
  const stored = routeId === '' ? undefined : (await loadRoutes(session, [routeId])).get(routeId)
  const info = stored?.state.nodes[node]?.tasks.find((own) => own.taskId === taskId)
  return isAmong(session.principal, info?.formerActors ?? [])
}

/**
 * Asks that nobody gets by name what he has by a group: he would keep the task, and its rights, after leaving the group.
 *
 * @throws conflict naming the user.
 */
const requireOthers = async (
  { identities }: Session,
  task: Task,
  actors: readonly string[],
): Promise<void> => {
  const having = [...task.actors, ...task.delegatedActors]
  for (const actor of distinct(actors)) {
    const name = bareActor(actor)
    if (kindOfActor(actor) === 'group' || isAmong({ name, groups: [] }, having)) continue
    const principal = await loadPrincipal(identities, identities.rules, name)
    if (principal && isAmong(principal, having))
      throw fail('conflict', `delegatedActors: ${actor} has task ${task.id} by a group already`)
  }
}

/**
 * Lets others end a task beside its actors. @throws forbidden for whom the task is not meant; conflict for who has it by
 * a group.
 */
export const delegateTask = async (context: OperationContext, handover: Handover): Promise<Task> => {
  const { task, inside, route, node, passedOn } = await handedOver(context, handover, 'delegatedActors')
  const { session } = inside
  await requireOthers(session, task, handover.actors)
  const delegatedActors = distinct([...task.delegatedActors, ...handover.actors])
  if (node?.taskAssigneesPermission)
    await grantOnDocuments(
      session,
      [
        {
          ...{ task, kind: 'delegation', actors: handover.actors },
          ...{ permission: node.taskAssigneesPermission, passedOn },
        },
      ],
      context.signal,
    )
  const changed = await setActors(session, task, { actors: task.actors, delegatedActors })
  const infos = { delegatedActors, comment: handover.comment ?? '' }
  await emitOfTask(session, { route, task: changed }, { event: 'afterWorkflowTaskDelegated', infos })
  await emitAboutTask(session, { route, task: changed }, 'workflowTaskDelegated')
  await notifyAssignees(inside, changed, {
    actors: handover.actors,
    template: node?.taskNotificationTemplate,
  })
  await saveRoute(session, route)
  return changed
}
