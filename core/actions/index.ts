export { actionsPoint } from './actions-point.js'
export { availableActions } from './available.js'
