export { createFileBlobStore, type FileBlobStoreOptions } from './file-store.js'
export { removeIdle } from './folder.js'
export { isUnused, MARK_FILE, readMark, writeMark } from './mark.js'
export { writeContent, writeHashed } from './write-hashed.js'
