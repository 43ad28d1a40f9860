export {
  type EventHandler,
  type EventHandlers,
  eventHandlersPoint,
  eventHandlersRegistry,
  type NamedHandler,
} from './event-handlers-point.js'
export { type RunEventChain, withEventHandlers } from './listeners.js'
export { type EventValue, eventValue, matches } from './matches.js'
export { subscribedSince } from './reachable-events.js'
export { type EventSources, unknownEvents } from './unknown-events.js'
export { unknownFilters } from './unknown-filters.js'
