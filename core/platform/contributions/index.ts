export { type CheckedYaml, checkYaml } from './check-yaml.js'
export { configuredPoint, type UsageCheck, type WarningsCheck } from './configured-point.js'
export {
  type ContributionFormat,
  type ContributionStore,
  type ContributionVersion,
  type NewContributionVersion,
  NO_MARK,
} from './contribution-store.js'
export {
  type ContributionDeployments,
  createContributionDeployments,
  type DeployCall,
  type Deployment,
  type Planned,
} from './deployments.js'
export { didYouMean, suggestion } from './did-you-mean.js'
export {
  defineExtensionPoint,
  type ExtensionPoint,
  type Finding,
  type Reference,
  type XmlForm,
} from './extension-point.js'
export { type ContributionFeed, createContributionFeed, type Deployed, withVersion } from './feed.js'
export { jsonSchemaOf, jsonSchemaOfFile } from './json-schema.js'
export { MAX_PARTS, MAX_TEXT_LENGTH, requireFewBlanks, requireFewParts } from './limits.js'
export { mergeAddingToLists } from './merge-content.js'
export { type Contributions, mergeContributions, refuseConfiguration } from './merge-contributions.js'
export { type FilePart, partsOfYaml } from './parts-of-yaml.js'
export { pendingVersion } from './pending-version.js'
export type { ContributionText, DeployedVersion, PointHandler } from './point-handler.js'
export type { Precondition } from './preconditions.js'
export { readConfiguration } from './read-configuration.js'
export type { ContributionFile, ContributionProblem } from './read-contributions.js'
export { repeatedIn } from './repeated.js'
export { defineRegistry, type RegistryDefinition, type Snapshot } from './snapshot.js'
export { createSnapshots, type Snapshots } from './snapshots.js'
