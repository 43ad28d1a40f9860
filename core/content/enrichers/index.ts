export { actionsPoint } from './actions-point.js'
export { availableActions } from './available.js'
export { enrichersOf, enrichersPoint } from './enrichers-point.js'
