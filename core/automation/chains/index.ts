export { createChainHandler } from './chain-handler.js'
export { CHAINS, type ChainRegistry, createChainRegistry } from './chain-registry.js'
export { oddReferencesIn } from './chain-warnings.js'
export { chainsOf, chainsPoint } from './chains-point.js'
export { readContribution } from './component-elements.js'
export { type ComponentPart, partsOfComponent } from './component-parts.js'
export { currentWarnings } from './current-warnings.js'
export { parseChain } from './parse-chain.js'
export { createScriptHandler } from './script-handler.js'
export { SCRIPTS, scriptsOf, scriptsPoint } from './scripts-point.js'
export { findingsOfCall } from './target-params.js'
export { callableNames, constantTarget, stepsOf, unknownChain } from './targets.js'
export type { ChainPlaces, ParsedChain } from './types.js'
export { writeYaml, writeYamlView } from './write-yaml.js'
export {
  allowAttributes,
  checkOwnId,
  childrenOf,
  named,
  readBoolean,
  readName,
  textOf,
} from './xml-elements.js'
export { writeXmlNode, type XmlNode } from './xml-node.js'
