export { createBulkSource } from './bulk-source.js'
export { type ImportSource, runImportPage } from './run-page.js'
export {
  type BulkImportRequest,
  type FolderImports,
  IMPORT_START,
  type ImportCursor,
  type ImportPage,
} from './types.js'
