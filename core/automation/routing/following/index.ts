export { followRoute, moveByCommand, type RouteCommand } from './commands.js'
export { migrateRoute, retryRoute } from './operator.js'
export type { RouteCall, RouteRuns } from './route-runs.js'
export type { RouteView } from './view.js'
