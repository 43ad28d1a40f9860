export { configuredNamesRegistry } from './registry.js'
export type { ConfiguredNames } from './types.js'
export { unknownName, unknownProperty } from './unknown-name.js'
export { unfitValue } from './unknown-value.js'
