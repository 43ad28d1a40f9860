export { SEARCH_ATTRIBUTES } from './arguments.js'
export { startTemporal } from './server.js'
