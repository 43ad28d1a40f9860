export {
  type AccountedBlobStore,
  type BlobQuotas,
  createAccountedStore,
} from './accounting/accounted-store.js'
export { type Collected, collectBlobs, keysIn } from './accounting/collect.js'
export type { BlobCollections, CollectionReport } from './accounting/collections.js'
export type { BlobLedger, BlobReferences } from './accounting/types.js'
export type { BlobDescription } from './blob-value.js'
export {
  bareMimeType,
  contentTypeOf,
  createBlobValue,
  isMimeType,
  mimeTypeOf,
} from './blob-value.js'
export { createDispatchedStore, type DispatchedStore } from './dispatch/dispatched-store.js'
export { blobDispatcherPoint, type PlacedFile, storeForFile } from './dispatch/rules-point.js'
export { contentDisposition } from './disposition.js'
export type { DownloadPlan, DownloadRequest } from './download.js'
export { planDownload } from './download.js'
export { exportBlob } from './export-blob.js'
export { fileContent, READ_BUFFER_BYTES } from './file-content.js'
export { isRaw } from './raw-types.js'
export type {
  BlobContent,
  BlobHeaders,
  BlobOwner,
  BlobRef,
  BlobStat,
  BlobStore,
  ByteRange,
  FileStream,
  StoredBlob,
  WriteOptions,
} from './types.js'
