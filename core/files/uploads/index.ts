export { storeOfHandler, uploadHandlers, uploadHandlersPoint } from './handlers-point.js'
export type { BatchPlace, FilePlace, UploadBatch, UploadedFile, Uploads } from './types.js'
export { createUploads } from './uploads.js'
