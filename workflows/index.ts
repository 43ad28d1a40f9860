export { accessUpkeep } from './access-upkeep.js'
export { chain } from './chain.js'
export { conversion } from './conversion.js'
export { housekeeping } from './housekeeping.js'
