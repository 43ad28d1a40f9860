import { getDocument, hasPermission, privileged, type Session } from '../../../content/documents/index.js'
import { followTransition } from '../../../content/lifecycle/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { OperationContext } from '../../language/index.js'
import { cancelMove, type RouteHost, type RouteState, resumeMove, startMove } from '../graph/index.js'
import { callersVariables, type Graph, givenVariables, graphOf, type Variables } from '../model/index.js'
import { findOpenTasks, requireHeld } from '../tasks/index.js'
import { showChanged, takeSet } from './chain-variables.js'
import { emitOfRoute, emitOnDocuments } from './events.js'
import { createHost, type MovedBy, type StartNested } from './host.js'
import { loadRoute, noRoute, type Route, saveRoute } from './instance.js'
import { noteOf } from './note.js'
import { MOVING } from './scope.js'
import { rememberSetter } from './setters.js'
import { createRoute, type RouteToStart } from './start-route.js'

/** Beside administrators and the initiator they may cancel routes. */
const POWER_USERS = 'powerusers'

/** The same transaction, with every right: what is deployed acts there in the name of whoever moves the route. */
export const insideOf = (context: OperationContext): OperationContext =>
  context.within({ principal: privileged(context.session).principal })

/**
 * A route that is to be changed, held against everybody else.
 *
 * @throws notFound; conflict for a chain of the route itself, which runs while the route moves.
 */
export const holdRoute = (context: OperationContext, id: string): Promise<Route> => {
  const moving = context.variables[MOVING]
  if (moving?.type === 'string' && moving.value === id)
    throw fail('conflict', `Workflow ${id} moves: a chain of its nodes cannot move it further`)
  return loadRoute(context.session, id, { hold: true })
}

/** Whether somebody may know that there is a route: of its document, of those that it is about, or of a task. */
const isSeen = async (session: Session, { id, documentIds }: Route): Promise<boolean> => {
  const documents = await session.stores.documents.briefly([id, ...documentIds], [])
  for (const document of documents) if (await hasPermission(session, document, 'Read')) return true
  return (await findOpenTasks(session, { routeId: id }, { pageSize: 1 })).entries.length > 0
}

/**
 * @throws forbidden for anybody but administrators, `powerusers` and the initiator of a route; notFound for those who
 * may see nothing of it.
 */
const requireManager = async ({ session }: OperationContext, route: Route): Promise<void> => {
  const { principal } = session
  const isManager =
    principal.isAdministrator || principal.groups.includes(POWER_USERS) || principal.name === route.initiator
  if (isManager) return
  if (!(await isSeen(session, route))) throw noRoute(route.id)
  throw fail('forbidden', `${principal.name} may not change workflow ${route.id}`)
}

/**
 * The chains of a route act with every right: who moves it, or sets what they go by, could start it now.
 *
 * @throws as `requireManager`; forbidden for a document on which the permission to start it is missing.
 */
const requireStarter = async (context: OperationContext, route: Route): Promise<void> => {
  await requireManager(context, route)
  const { session } = context
  // Chains with every right come here, too: for them nothing is read.
  if (session.principal.isAdministrator) return
  const { permission } = route.model
  const documents = await session.stores.documents.briefly(route.documentIds, [])
  await requireHeld(session, documents, { permission, isApart: true, to: `change workflow ${route.id}` })
}

const TRANSITIONS: { readonly [status: string]: string } = {
  running: 'toRunning',
  done: 'toDone',
  canceled: 'toCanceled',
}

/** Lets the document of a route follow its state. */
const follow = async (
  { session }: OperationContext,
  route: Route,
  document: DocumentRecord,
): Promise<DocumentRecord> => {
  // One that ends in its first move has run, too.
  const states =
    route.status === 'ready' && route.state.status === 'done' ? ['running', 'done'] : [route.state.status]
  let current = document
  for (const state of states)
    if (current.lifecycleState !== state)
      current = await followTransition(session, current, TRANSITIONS[state] ?? '')
  return current
}

type Saved = { isFollowed?: boolean | undefined }

/** Takes the document of a route to its new state. */
const changeState = async (inside: OperationContext, route: Route): Promise<DocumentRecord> => {
  const { session } = inside
  const document = await getDocument(session, route.id)
  if (route.state.status === 'canceled')
    await emitOfRoute(session, { route, document }, 'beforeWorkflowCanceled')
  return follow(inside, route, document)
}

/** Writes where a route stands; one that has ended goes on with the route whose part it was. */
const save = async (inside: OperationContext, route: Route, saved: Saved): Promise<void> => {
  const { session } = inside
  const { status } = route.state
  if (status === route.status) return saveRoute(session, route, saved)
  const document = await changeState(inside, route)
  const hasEnded = status === 'done' || status === 'canceled'
  Object.assign(route, { status, ...(hasEnded && { endedAt: session.now }) })
  if (!hasEnded) return saveRoute(session, route, saved)
  noteOf(inside, route)?.({ kind: 'workflowEnded', state: status })
  // Who listens to the end finds the route as it is then.
  if (END_EVENTS.some((event) => session.listeners.of(event).length > 0))
    await saveRoute(session, route, saved)
  if (status === 'canceled') await emitOnDocuments(session, route, 'workflowCanceled')
  else await emitOfRoute(session, { route, document }, 'afterWorkflowFinish')
  await saveRoute(session, route, saved)
  await endSubRoutes(inside, route)
  if (route.parentId !== null && route.parentNode !== null)
    await resumeParent(inside, { id: route.parentId, node: route.parentNode, subRouteId: route.id })
}

const END_EVENTS = ['workflowCanceled', 'afterWorkflowFinish']

/** Cancels the sub-workflows of a route that has ended. */
const endSubRoutes = async (inside: OperationContext, { state }: Route): Promise<void> => {
  for (const { subRouteId } of Object.values(state.nodes)) {
    if (subRouteId === null) continue
    const nested = await loadRoute(inside.session, subRouteId, { hold: true })
    if (nested.status === 'running') await moveRoute(inside, nested, cancelMove)
  }
}

const resumeParent = async (
  inside: OperationContext,
  { id, node, subRouteId }: { id: string; node: string; subRouteId: string },
): Promise<void> => {
  const parent = await loadRoute(inside.session, id, { hold: true })
  const run = parent.state.nodes[node]
  // While the parent still starts it, it goes on with the node by itself.
  if (parent.status !== 'running' || run?.subRouteId !== subRouteId || run.state !== 'suspended') return
  await moveRoute(inside, parent, (moved) => resumeMove(moved, node))
}

type Move = (moved: { graph: Graph; state: RouteState; host: RouteHost }) => Promise<void>

/**
 * Moves a route that is held, and writes where it stands then.
 *
 * @param inside a context with every right: see `insideOf`.
 * @param options see `MovedBy`. `isFollowed`: its workflow asks for the move, and need not be notified of it.
 */
export const moveRoute = async (
  inside: OperationContext,
  route: Route,
  move: Move,
  { isFollowed, ...movedBy }: Saved & MovedBy = {},
): Promise<Route> => {
  const startNested: StartNested = async (wanted) => {
    const nested = await beginRoute(inside, { ...wanted, documentIds: route.documentIds })
    return { id: nested.id, isDone: nested.status === 'done' }
  }
  const host = createHost(inside, { route, startNested, ...movedBy })
  await move({ graph: graphOf(route.model), state: route.state, host })
  await save(inside, route, { isFollowed })
  return route
}

/**
 * Starts a route: what its nodes do until it waits, or ends, is done in the transaction of the context.
 *
 * @throws what `createRoute` throws, and what its chains and expressions throw.
 */
export const beginRoute = async (
  context: OperationContext,
  wanted: RouteToStart,
  saved: Saved = {},
): Promise<Route> => {
  const { route, document } = await createRoute(context, wanted)
  const inside = insideOf(context)
  const begin: Move = async (move) => {
    noteOf(context, route)?.({ kind: 'workflowStarted' })
    await emitOfRoute(inside.session, { route, document }, 'afterWorkflowStarted')
    await startMove(move)
  }
  const isChosenNow = wanted.parent === undefined && Object.keys(wanted.variables ?? {}).length > 0
  return moveRoute(inside, route, begin, { ...saved, isChosenNow })
}

/**
 * Leaves a node without its tasks, which are cancelled.
 *
 * @throws notFound for an unknown route, forbidden as `requireStarter`, conflict for a node that does not wait.
 */
export const resumeNode = async (
  context: OperationContext,
  { routeId, node }: { routeId: string; node: string },
  saved: Saved = {},
): Promise<Route> => {
  const route = await holdRoute(context, routeId)
  await requireStarter(context, route)
  takeSet(context, route)
  await moveRoute(insideOf(context), route, (moved) => resumeMove(moved, node), saved)
  showChanged(context, route)
  return route
}

/**
 * Cancels a route with its tasks and sub-workflows.
 *
 * @throws notFound, forbidden as `requireManager`, conflict for one that has ended.
 */
export const cancelRoute = async (
  context: OperationContext,
  routeId: string,
  saved: Saved = {},
): Promise<Route> => {
  const route = await holdRoute(context, routeId)
  await requireManager(context, route)
  return moveRoute(insideOf(context), route, cancelMove, saved)
}

/**
 * Sets variables of a route that its model declares.
 *
 * @throws notFound, forbidden as `requireStarter`, badRequest for what does not fit.
 */
export const setRouteVariables = async (
  context: OperationContext,
  { routeId, variables }: { routeId: string; variables: Variables },
): Promise<void> => {
  const route = await holdRoute(context, routeId)
  await requireStarter(context, route)
  // A chain that acts with every right may be the one of another workflow, or of a rule.
  const taken = context.session.principal.isAdministrator ? givenVariables : callersVariables
  takeSet(context, route)
  const set = taken(route.model.variables, variables)
  Object.assign(route.state.variables, set)
  rememberSetter(route, Object.keys(set), context.session.principal)
  await saveRoute(context.session, route)
  showChanged(context, route)
}
