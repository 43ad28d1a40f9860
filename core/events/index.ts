export { createListeners } from './listeners.js'
export { FIRING_OPERATION, REPOSITORY_EVENTS } from './names.js'
export type { CoreEvent, ListenedEvent, Listener, Listeners } from './types.js'
