export { createEntryNames } from './entry-names.js'
export { withZip, type ZippedEntry } from './unzip.js'
export { type ZipEntry, zipOf } from './zip.js'
