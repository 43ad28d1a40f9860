export { knownNamesRegistry } from './registry.js'
export type { KnownNames } from './types.js'
export { unknownName, unknownProperty } from './unknown-name.js'
export { unfitValue } from './unknown-value.js'
