export { createRouteRuns } from './create-route-runs.js'
export { signalRoute } from './signal-route.js'
