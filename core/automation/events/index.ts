export {
  type EventHandler,
  type EventHandlers,
  eventHandlersPoint,
  eventHandlersRegistry,
  type NamedHandler,
} from './event-handlers-point.js'
export { hearsFrom } from './hears-from.js'
export { type RunEventChain, withEventHandlers } from './listeners.js'
export { type EventValue, eventValue, matches } from './matches.js'
export { oddFilters } from './odd-filters.js'
export { type EventSources, unknownEvents } from './unknown-events.js'
