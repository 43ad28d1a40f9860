export type { BlobDescription } from './blob-value.js'
export {
  bareMimeType,
  contentTypeOf,
  createBlobValue,
  isMimeType,
  mimeTypeOf,
} from './blob-value.js'
export { contentDisposition } from './disposition.js'
export type { DownloadPlan, DownloadRequest } from './download.js'
export { planDownload } from './download.js'
export { exportBlob } from './export-blob.js'
export type { FileBlobStoreOptions } from './file-store.js'
export { createFileBlobStore, fileContent } from './file-store.js'
export type { BlobContent, BlobStore, ByteRange, StoredBlob, WriteOptions } from './types.js'
