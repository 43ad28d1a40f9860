export { callListener, notifyWithoutDocument } from './call-listeners.js'
export { createListeners } from './listeners.js'
export { FIRING_OPERATION, REPOSITORY_EVENTS } from './names.js'
export type { CoreEvent, JsonValue, Listener, Listeners, NotifyingSession } from './types.js'
