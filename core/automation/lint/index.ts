export { configuredNamesRegistry } from './registry.js'
export type { ConfiguredNames } from './types.js'
export { oddName, oddProperty } from './unknown-name.js'
export { oddValue } from './unknown-value.js'
