export { createEntryNames } from './entry-names.js'
export { type ZipEntry, zipOf } from './zip.js'
