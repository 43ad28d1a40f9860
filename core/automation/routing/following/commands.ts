import type { OperationContext } from '../../language/index.js'
import {
  beginRoute,
  type Completion,
  cancelRoute,
  completeTaskOf,
  loadRoute,
  type Route,
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

/** The workflow of a route learns from the answer how it has moved. */
const FOLLOWED = { isFollowed: true }

const obey = async (context: OperationContext, { routeId, command }: Commanded): Promise<Route> => {
  switch (command.kind) {
    case 'start':
      return beginRoute(context, { ...command.wanted, id: routeId }, FOLLOWED)
    case 'complete':
      return (await completeTaskOf(context, { ...command.completion, routeId }, FOLLOWED)).route
    case 'resume':
      return resumeNode(context, { routeId, node: command.node }, FOLLOWED)
    case 'cancel':
      return cancelRoute(context, routeId, FOLLOWED)
  }
}

/**
 * Does what somebody asks of a route, in the transaction of a context of theirs.
 *
 * @returns how it stands then, for its workflow, which has followed it so far.
 */
export const moveByCommand = async (context: OperationContext, asked: Commanded): Promise<RouteView> =>
  viewOf(context, { route: await obey(context, asked), periodMs: asked.periodMs })

/** How a route stands, for its workflow, which need not be notified of it again. */
export const followRoute = async (
  context: OperationContext,
  { routeId, periodMs }: Omit<Commanded, 'command'>,
): Promise<RouteView> => {
  const route = await loadRoute(context.session, routeId, { hold: true })
  await context.session.stores.routes.follow(routeId)
  return viewOf(context, { route, periodMs })
}
