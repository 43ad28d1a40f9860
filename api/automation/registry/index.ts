export { createOperationPaths } from './operation-paths.js'
export {
  chainJson,
  listOf,
  type OperationJson,
  operationJson,
  type ParameterJson,
} from './registry-json.js'
export { createRegistryRoutes } from './routes.js'
