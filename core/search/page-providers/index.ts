export { type Aggregate, type Bucket, nxqlField } from './aggregates/index.js'
export type { ProviderRequest } from './build-query.js'
export { type PageProviderDefinition, pageProvidersPoint } from './definition.js'
export {
  adHocProvider,
  fetchPageProvider,
  getPageProvider,
  type PageRequest,
  type ProviderPage,
  providerQuery,
  runPageProvider,
} from './run.js'
