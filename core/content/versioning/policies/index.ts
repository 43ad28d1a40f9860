/** When versions are made by themselves, which ones may be asked for, and where numbers begin. */
export { type Increment, versioningPoints } from './points.js'
export { buildVersioningRules, type VersioningRules, versioningRegistry } from './rules.js'
