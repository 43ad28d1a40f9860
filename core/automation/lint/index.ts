export { configuredNamesRegistry } from './registry.js'
export type { ConfiguredNames, NameKind } from './types.js'
export { oddName, oddProperty } from './unknown-name.js'
export { oddValue } from './unknown-value.js'
