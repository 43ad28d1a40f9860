export { eventsOf } from './events.js'
export { inputOf, lastExecution } from './execution.js'
export { resetPoint } from './reset-point.js'
