export { eventsOf } from './events.js'
export { enteredLoops, inputOf, lastExecution } from './execution.js'
export { resetPoint } from './reset-point.js'
