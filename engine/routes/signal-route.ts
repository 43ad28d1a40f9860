import type { Temporal } from '../client/index.js'
import { routeStart, type StartedRoute } from './route-workflow.js'

/** Has the workflow of a route look at it again; starts the workflow where there is none. */
export const signalRoute = async (temporal: Temporal, route: StartedRoute): Promise<void> => {
  await temporal.client.workflow.signalWithStart('route', {
    ...routeStart(temporal, route),
    signal: 'changed',
    signalArgs: [],
  })
}
