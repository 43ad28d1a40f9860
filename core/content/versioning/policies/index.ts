/** When versions are created automatically, which ones may be asked for, and where numbers start. */
export { type Increment, versioningPoints } from './points.js'
export { buildVersioningRules, type VersioningRules, versioningRegistry } from './rules.js'
