import type { OperationContext } from '../../language/index.js'
import {
  beginRoute,
  type Completion,
  cancelRoute,
  completeTask,
  loadRoute,
  type RouteToStart,
  resumeNode,
} from '../instances/index.js'
import { type RouteView, viewOf } from './view.js'

/** What somebody asks of a route. */
export type RouteCommand =
  | { kind: 'start'; wanted: Omit<RouteToStart, 'parent'> }
  | { kind: 'complete'; completion: Completion }
  | { kind: 'resume'; node: string }
  | { kind: 'cancel' }

type Commanded = { routeId: string; command: RouteCommand; periodMs: number }

const obey = async (context: OperationContext, { routeId, command }: Commanded): Promise<void> => {
  if (command.kind === 'start') await beginRoute(context, { ...command.wanted, id: routeId })
  else if (command.kind === 'complete') await completeTask(context, command.completion)
  else if (command.kind === 'resume') await resumeNode(context, { routeId, node: command.node })
  else await cancelRoute(context, routeId)
}

/**
 * Does what somebody asks of a route, in the transaction of a context of theirs.
 *
 * @returns how it stands then, for its workflow, which has followed it so far.
 */
export const moveByCommand = async (context: OperationContext, asked: Commanded): Promise<RouteView> => {
  await obey(context, asked)
  return followRoute(context, asked)
}

/** How a route stands, for its workflow, which need not be told of it again. */
export const followRoute = async (
  context: OperationContext,
  { routeId, periodMs }: Omit<Commanded, 'command'>,
): Promise<RouteView> => {
  const route = await loadRoute(context.session, routeId, { hold: true })
  await context.session.stores.routes.follow(routeId)
  return viewOf(context, { route, periodMs })
}
