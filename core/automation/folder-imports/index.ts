export { createBulkSource } from './bulk-source.js'
export { type ImportSource, runImportPage } from './run-page.js'
export { createScanSource } from './scan-source.js'
export {
  type BulkImportRequest,
  type FolderImports,
  IMPORT_START,
  type ImportCursor,
  type ImportPage,
} from './types.js'
