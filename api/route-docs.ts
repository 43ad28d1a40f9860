import { automationDocs } from './automation/index.js'
import { bulkDocs } from './bulk/index.js'
import { configDocs } from './config/index.js'
import { contributionDocs } from './contributions/index.js'
import { conversionDocs } from './conversions/index.js'
import { directoryDocs } from './directories/index.js'
import { discoveryDocs } from './discovery/index.js'
import { downloadDocs } from './download/index.js'
import { healthDocs } from './health/index.js'
import { identityDocs } from './identity/index.js'
import type { RouteDoc } from './openapi/index.js'
import { adapterDocs, blobEntity, businessDocs, documentDocs, renditionDocs } from './rest/index.js'
import { pageProviderDocs, savedSearchDocs, searchDocs } from './search/index.js'

const always: readonly RouteDoc[] = [
  ...documentDocs,
  ...adapterDocs,
  ...pageProviderDocs,
  ...searchDocs,
  ...savedSearchDocs,
  ...directoryDocs,
  ...identityDocs,
  ...configDocs,
  ...downloadDocs,
  ...discoveryDocs,
  ...healthDocs,
]

const ofEngine: readonly RouteDoc[] = [
  ...renditionDocs,
  ...businessDocs,
  ...automationDocs,
  ...bulkDocs,
  ...contributionDocs,
  ...conversionDocs,
]

/** Every route that is served, described; without an engine there are documents alone. */
export const routeDocs = ({ hasEngine }: { hasEngine: boolean }): readonly RouteDoc[] =>
  hasEngine ? [...always, ...ofEngine] : always

/** What properties of documents refer to. */
export const describedComponents = [blobEntity]
