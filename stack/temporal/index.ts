export { type FindOptions, findTemporal } from './find.js'
export { startTemporal } from './server.js'
