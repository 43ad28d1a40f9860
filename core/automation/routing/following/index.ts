export { followRoute, moveByCommand, type RouteCommand } from './commands.js'
export type { RouteCall, RouteRuns } from './route-runs.js'
export type { RouteView } from './view.js'
