export { connectTemporal } from './connect.js'
export { type Temporal, temporalOn } from './temporal.js'
