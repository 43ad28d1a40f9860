export { oddName, oddProperty } from './odd-name.js'
export { oddValue } from './odd-value.js'
export { configuredNamesRegistry } from './registry.js'
export type { ConfiguredNames, NameKind } from './types.js'
