import type { Principal } from '../../../access/security/index.js'
import type { RouteCommand } from './commands.js'
import type { RouteView } from './view.js'

/** A command, who gives it, and what is known of the route. */
export type RouteCall = {
  routeId: string
  modelId: string
  initiator: string
  principal: Principal
  requestId: string
  command: RouteCommand
}

/** Routes, each a workflow of its own. */
export type RouteRuns = {
  /**
   * Does what somebody asks of a route.
   *
   * @returns how it stands once it has moved.
   * @throws what the command throws; unavailable when Temporal does not respond.
   */
  act(call: RouteCall): Promise<RouteView>
  /** Has the workflow of a route look at it again; starts the workflow where there is none. */
  follow(route: Pick<RouteCall, 'routeId' | 'modelId' | 'initiator'>): Promise<void>
  /** Of some routes, those whose workflow runs. */
  running(routeIds: readonly string[]): Promise<ReadonlySet<string>>
}
