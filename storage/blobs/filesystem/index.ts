export { createFileBlobStore, type FileBlobStoreOptions } from './file-store.js'
export { isUnused, MARK_FILE, readMark, writeMark } from './mark.js'
export { writeContent } from './write-hashed.js'
