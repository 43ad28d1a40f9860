export {
  type Adapter,
  type AdapterEngine,
  type AdapterHandler,
  type AdapterRequest,
  adapterDocs,
  engineAdapterDocs,
} from './adapters/index.js'
export { documentDocs } from './document-handlers.js'
export {
  blobEntity,
  type DocumentEntity,
  type DocumentsEntity,
  documentsEntity,
  documentsPage,
  entityOptions,
  linksOf,
  plainDocumentsEntity,
} from './entities/index.js'
export {
  createRestServices,
  directoryEntryEntity,
  type Renderer,
  type RestServices,
} from './rendering/index.js'
export {
  documentGroup,
  entityResponse,
  forEachList,
  languagesOf,
  pagingParameters,
  pagingQuery,
  parseJson,
  readJson,
  readText,
  renderingQuery,
  requireJsonAccepted,
  sortParameters,
  sortQuery,
  writeOnce,
} from './requests/index.js'
export { createDocumentRoutes } from './routes.js'
