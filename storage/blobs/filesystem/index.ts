export { createFileBlobStore, type FileBlobStoreOptions } from './file-store.js'
