export { createListeners } from './listeners.js'
export type { CoreEvent, ListenedEvent, Listener, Listeners } from './types.js'
