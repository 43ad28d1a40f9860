export type { Adapter, AdapterHandler, AdapterRequest } from './adapter.js'
export {
  adapterDocs,
  businessAdapter,
  businessDocs,
  convertAdapter,
  operationAdapter,
  renditionAdapter,
  renditionDocs,
} from './adapters/index.js'
export { documentGroup } from './document-group.js'
export { documentDocs } from './document-handlers.js'
export { forEachList } from './document-lists.js'
export type { DocumentEntity } from './entities/document-entity.js'
export { type DocumentsEntity, documentsEntity, plainDocumentsEntity } from './entities/documents-entity.js'
export { blobEntity, documentsPage } from './entities/entities.schema.js'
export { entityOptions } from './entities/entity-options.js'
export { linksOf } from './links.js'

export { directoryEntryEntity } from './references/index.js'
export { renderingQuery } from './rendering.schema.js'
export { parseJson, readJson, readText } from './requests/body.js'
export { languagesOf } from './requests/languages.js'
export { entityResponse, requireJsonAccepted } from './requests/negotiate.js'
export { pagingParameters } from './requests/parameters.js'
export { pagingQuery, sortQuery } from './requests/requests.schema.js'
export { sortParameters } from './requests/sort.js'
export { writeOnce } from './requests/write-once.js'
export { createDocumentRoutes } from './routes.js'
export { createRestServices, type Renderer, type RestServices } from './services.js'
