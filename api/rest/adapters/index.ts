import type { Adapter } from '../adapter.js'
import type { RestServices } from '../services.js'
import { aclAdapter } from './acl.js'
import { blobAdapter } from './blob.js'
import { childrenAdapter } from './children.js'
import { annotationAdapter, commentAdapter } from './comment.js'
import { emptyWithDefaultAdapter } from './empty-with-default.js'
import { previewAdapter } from './preview.js'
import { searchAdapter } from './search.js'

export const createAdapters = (services: RestServices): readonly Adapter[] => [
  aclAdapter(services),
  annotationAdapter(services),
  blobAdapter(services),
  childrenAdapter(services),
  commentAdapter(services),
  emptyWithDefaultAdapter(services),
  previewAdapter(services),
  searchAdapter(services),
]

export { businessAdapter } from './business.js'
export { convertAdapter } from './convert.js'
export { operationAdapter } from './operation.js'
export { renditionAdapter } from './rendition.js'
