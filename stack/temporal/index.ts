export { DYNAMIC_CONFIG, SEARCH_ATTRIBUTES } from './arguments.js'
export { startTemporal, type TemporalOptions, type TemporalServer } from './server.js'
