export { mergeAddingToLists } from './configuration/merge-content.js'
export {
  type Contributions,
  mergeContributions,
  refuseConfiguration,
} from './configuration/merge-contributions.js'
export { readConfiguration } from './configuration/read-configuration.js'
export type { ContributionFile, ContributionProblem } from './configuration/read-contributions.js'
export { defineRegistry, type RegistryDefinition, type Snapshot } from './configuration/snapshot.js'
export { createSnapshots, type Snapshots } from './configuration/snapshots.js'
export {
  configuredPoint,
  type FurtherCheck,
  type UsageCheck,
  type WarningsCheck,
} from './deployment/configured-point.js'
export {
  type ContributionFormat,
  type ContributionStore,
  type ContributionVersion,
  type NewContributionVersion,
  NO_MARK,
} from './deployment/contribution-store.js'
export {
  type ContributionDeployments,
  createContributionDeployments,
  type DeployCall,
  type Deployment,
  type Planned,
} from './deployment/deployments.js'
export {
  type ContributionFeed,
  createContributionFeed,
  type Deployed,
  withVersion,
} from './deployment/feed.js'
export { ownText } from './deployment/own-text.js'
export { pendingVersion } from './deployment/pending-version.js'
export type { ContributionText, DeployedVersion, PointHandler } from './deployment/point-handler.js'
export type { Precondition } from './deployment/preconditions.js'
export {
  defineExtensionPoint,
  type ExtensionPoint,
  type Finding,
  type Reference,
  type XmlForm,
} from './extension-point.js'
export { MAX_PARTS, MAX_TEXT_LENGTH, requireFewBlanks, requireFewParts } from './limits.js'
export { extended, readContribution } from './xml/component-elements.js'
export {
  type ElementClaim,
  type ElementForm,
  type ElementForms,
  formOf,
  nameOfPart,
} from './xml/element-form.js'
export { allowAttributes, childrenOf, ELEMENT, isText, named, parseXml, placeOf } from './xml/elements.js'
export { readElements } from './xml/read-elements.js'
export { createReport, type Place, type Report } from './xml/report.js'
export { newPart, partOf, withChildren, type XmlPart } from './xml/xml-part.js'
export { byType } from './yaml/by-type.js'
export { type CheckedYaml, checkYaml } from './yaml/check-yaml.js'
export { didYouMean, suggestion } from './yaml/did-you-mean.js'
export { doubtfulLines, isUnclosed } from './yaml/doubtful-lines.js'
export { jsonSchemaOf, jsonSchemaOfFile } from './yaml/json-schema.js'
export { type FilePart, partsOfYaml } from './yaml/parts-of-yaml.js'
export { repeatedIn } from './yaml/repeated.js'
