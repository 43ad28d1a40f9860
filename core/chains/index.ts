export { CHAINS, type ChainRegistry, createChainRegistry } from './chain-registry.js'
export { chainsOf, chainsPoint } from './chains-point.js'
export {
  type ContributionStore,
  type ContributionVersion,
  type NewContributionVersion,
  NO_MARK,
} from './contribution-store.js'
export {
  type ChainDeployments,
  type ChainVersion,
  createChainDeployments,
  type DeployCall,
} from './deployments.js'
export { jsonSchemaOfChains } from './json-schema.js'
export { MAX_TEXT_LENGTH } from './limits.js'
export { parseChain } from './parse-chain.js'
export type { Precondition } from './preconditions.js'
export type { ChainFormat, ChainPlaces, ParsedChain } from './types.js'
export { writeXml } from './write-xml.js'
export { viewOf, writeYaml } from './write-yaml.js'
