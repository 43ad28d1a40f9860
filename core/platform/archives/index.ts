export { createEntryNames } from './entry-names.js'
export { scanZip, withZip, type ZippedEntry } from './unzip.js'
export { type ZipEntry, zipOf } from './zip.js'
