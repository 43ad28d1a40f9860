export { tryRoute } from './try-route.js'
export type { RouteTrial, TrialResult } from './types.js'
