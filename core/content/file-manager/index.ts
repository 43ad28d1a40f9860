export { createFolder } from './create-folder.js'
export { type FileImport, importFile } from './import-file.js'
export { fileImportersPoint } from './importers-point.js'
