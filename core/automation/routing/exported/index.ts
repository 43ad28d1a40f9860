export { readExportArchive } from './read-archive.js'
export { readExport } from './read-export.js'
export { templateResource } from './template-resource.js'
