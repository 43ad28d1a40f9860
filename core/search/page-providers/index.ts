export type { Aggregate } from './aggregates/aggregate.js'
export type { Bucket } from './aggregates/buckets.js'
export { nxqlField } from './aggregates/field.js'
export { INDEXED_PROVIDERS } from './backend.js'
export type { ProviderRequest } from './build-query.js'
export { knownParameters } from './known-parameters.js'
export { type PageProviderDefinition, pageProvidersPoint } from './page-providers-point.js'
export {
  adHocProvider,
  adHocSession,
  entriesQuery,
  explainPageProvider,
  fetchPageProvider,
  getPageProvider,
  type PageRequest,
  type ProviderPage,
  providerQuery,
  runPageProvider,
} from './run.js'
export { TRACKED_PROVIDERS } from './tracking.js'
