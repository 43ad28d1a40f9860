export { connectTemporal } from './connect.js'
export { connectionOptions } from './connection-options.js'
export { readable } from './readable.js'
export { type Temporal, type TemporalPlace, temporalOn } from './temporal.js'
