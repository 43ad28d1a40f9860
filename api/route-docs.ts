import { healthDocs } from './health/index.js'
import type { RouteDoc } from './openapi/index.js'
import { protocols } from './protocols.js'
import { blobEntity } from './rest/index.js'

/** Every route that is served, described; without an engine there are documents alone. */
export const routeDocs = ({ hasEngine }: { hasEngine: boolean }): readonly RouteDoc[] => [
  ...protocols.flatMap(({ docs, engineDocs = [] }) => (hasEngine ? [...docs, ...engineDocs] : docs)),
  ...healthDocs,
]

/** What properties of documents refer to. */
export const describedComponents = [blobEntity]
