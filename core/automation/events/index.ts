export {
  type EventHandler,
  type EventHandlers,
  eventHandlersPoint,
  eventHandlersRegistry,
  type NamedHandler,
} from './event-handlers-point.js'
export { type RunEventChain, withEventHandlers } from './listeners.js'
export { type EventValue, eventValue, matches } from './matches.js'
export { hearsFrom } from './reachable-events.js'
export { type EventSources, unknownEvents } from './unknown-events.js'
export { oddFilters } from './unknown-filters.js'
