export {
  type EventHandler,
  eventHandlersPoint,
  eventHandlersRegistry,
  type NamedHandler,
} from './event-handlers-point.js'
export { type RunEventChain, withEventHandlers } from './listeners.js'
export { type EventValue, eventValue, matches } from './matches.js'
