export { createEntryNames } from './entry-names.js'
export { withZip } from './unzip.js'
export { type ZipEntry, zipOf } from './zip.js'
