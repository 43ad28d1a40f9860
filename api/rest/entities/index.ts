export { aceEntity, enrichedAcls } from './acl-entity.js'
export { COMMENT_ENTITIES, commentWriter } from './comment-entity.js'
export { commentResponses } from './comments.schema.js'
export { createDocumentWriter, type DocumentEntity, type WriteDocument } from './document-entity.js'
export { type DocumentsEntity, documentsEntity, plainDocumentsEntity } from './documents-entity.js'
export {
  aclsEntity,
  blobEntity,
  businessObject,
  businessObjects,
  documentEntity,
  documentsPage,
} from './entities.schema.js'
export { type EntityOptions, entityOptions } from './entity-options.js'
export { type Links, linksOf } from './links.js'
export { isPreviewable, noteOf } from './preview.js'
export { PLAIN_RENDERING, type Rendering, renderingOf } from './rendering.js'
