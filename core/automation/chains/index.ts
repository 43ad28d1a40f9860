export { createChainHandler } from './chain-handler.js'
export { CHAINS, type ChainRegistry, createChainRegistry } from './chain-registry.js'
export { chainsOf, chainsPoint } from './chains-point.js'
export { findingsOfCall, unknownParametersOfCall } from './checking/calls/target-params.js'
export { registryWith } from './checking/check-chain.js'
export { callableNames, constantTarget, stepsOf, unknownChain } from './checking/targets.js'
export { assignmentIn } from './checking/warnings/assignment.js'
export { unknownReferencesIn } from './checking/warnings/chain-warnings.js'
export { unknownNamesInCall } from './checking/warnings/names-of-call.js'
export { currentWarnings } from './current-warnings.js'
export { type ComponentPart, partsOfComponent } from './reading/component-parts.js'
export { parseChain } from './reading/parse-chain.js'
export {
  checkOwnId,
  readBoolean,
  readName,
  textOf,
} from './reading/xml-elements.js'
export { createScriptHandler } from './scripts/handler.js'
export { SCRIPTS, scriptsOf, scriptsPoint } from './scripts/scripts-point.js'
export type { ChainPlaces, ParsedChain } from './types.js'
export { writeYaml, writeYamlView } from './writing/write-yaml.js'
export { writeXmlNode, type XmlNode } from './writing/xml-node.js'
