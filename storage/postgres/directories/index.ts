export { DIRECTORY_CHANNEL } from './announce.js'
export { createDirectoryStore } from './directory-store.js'
export { createDirectoryLoader } from './load.js'
