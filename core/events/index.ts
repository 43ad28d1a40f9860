export { createListeners } from './listeners.js'
export { REPOSITORY_EVENTS } from './names.js'
export type { CoreEvent, ListenedEvent, Listener, Listeners } from './types.js'
