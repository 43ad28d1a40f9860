export { parseJson, readJson, readText, requireEntity } from './body.js'
export {
  askedBy,
  type DocumentBody,
  type DocumentChangeBody,
  type NewDocumentBody,
  readBodyProperties,
  readDocumentBody,
} from './document-body.js'
export { documentGroup } from './document-group.js'
export { documentLists, forEachList } from './document-lists.js'
export { languagesOf } from './languages.js'
export { entityResponse, requireJsonAccepted } from './negotiate.js'
export { pagingParameters } from './parameters.js'
export { renderingQuery } from './rendering.schema.js'
export { createBlobReader } from './request-blobs.js'
export {
  commentRequests,
  documentChange,
  emptyQuery,
  newDocument,
  pagingQuery,
  searchQuery,
  sortQuery,
  writeHeaders,
} from './requests.schema.js'
export { sortParameters } from './sort.js'
export { type AdapterCall, parseIdTarget, parsePathTarget, type Target } from './target.js'
export { writeOnce } from './write-once.js'
export { VERSIONING_OPTION, type WriteOptions, writeOptionsOf } from './write-request.js'
