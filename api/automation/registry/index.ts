export { createOperationPaths } from './operation-paths.js'
export { registryDocs } from './registry.docs.js'
export {
  chainJson,
  listOf,
  type OperationJson,
  operationJson,
  type ParameterJson,
} from './registry-json.js'
export { createRegistryRoutes } from './routes.js'
