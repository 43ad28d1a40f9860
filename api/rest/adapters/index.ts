import type { RouteDoc } from '../../openapi/index.js'
import type { RestServices } from '../rendering/index.js'
import { aclAdapter, aclDocs } from './acl.js'
import type { Adapter } from './adapter.js'
import { blobAdapter, blobDocs } from './blob.js'
import { childrenAdapter, childrenDocs } from './children.js'
import { annotationDocs, commentDocs } from './comment.docs.js'
import { annotationAdapter, commentAdapter } from './comment.js'
import { emptyWithDefaultAdapter, emptyWithDefaultDocs } from './empty-with-default.js'
import { previewAdapter, previewDocs } from './preview.js'
import { searchAdapter, searchAdapterDocs } from './search.js'

const ADAPTERS: readonly { create: (services: RestServices) => Adapter; docs: readonly RouteDoc[] }[] = [
  { create: aclAdapter, docs: aclDocs },
  { create: annotationAdapter, docs: annotationDocs },
  { create: blobAdapter, docs: blobDocs },
  { create: childrenAdapter, docs: childrenDocs },
  { create: commentAdapter, docs: commentDocs },
  { create: emptyWithDefaultAdapter, docs: emptyWithDefaultDocs },
  { create: previewAdapter, docs: previewDocs },
  { create: searchAdapter, docs: searchAdapterDocs },
]

export const createAdapters = (services: RestServices): readonly Adapter[] =>
  ADAPTERS.map(({ create }) => create(services))

export const adapterDocs: readonly RouteDoc[] = ADAPTERS.flatMap(({ docs }) => docs)

export type { Adapter, AdapterHandler, AdapterMethod, AdapterRequest } from './adapter.js'
export { businessAdapter, businessDocs } from './business.js'
export { convertAdapter } from './convert.js'
export { operationAdapter } from './operation.js'
export { renditionAdapter, renditionDocs } from './rendition.js'
