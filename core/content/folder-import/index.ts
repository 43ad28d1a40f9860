export { type BulkImport, type EntryOutcome, importEntry } from './import-entry.js'
export { importablePath, isImportable } from './import-folders.js'
export { createMetadata, METADATA_FILE } from './metadata.js'
export { type FoundEntry, walk } from './walk.js'
