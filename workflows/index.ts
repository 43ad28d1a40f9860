export { chain } from './chain.js'
export { conversion } from './conversion.js'
export { housekeeping } from './housekeeping.js'
