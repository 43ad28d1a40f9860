import { healthDocs } from './health/index.js'
import type { RouteDoc } from './openapi/index.js'
import { protocols } from './protocols.js'
import { blobEntity } from './rest/index.js'

/** The descriptions of all routes; those of automation and conversions only with an engine. */
export const routeDocs = ({ hasEngine }: { hasEngine: boolean }): readonly RouteDoc[] => [
  ...protocols.flatMap(({ docs, engineDocs = [] }) => (hasEngine ? [...docs, ...engineDocs] : docs)),
  ...healthDocs,
]

/** Schemas that properties of documents refer to. */
export const describedComponents = [blobEntity]
