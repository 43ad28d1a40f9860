export { storeOfHandler, uploadHandlers, uploadHandlersPoint } from './handlers-point.js'
export type { FilePlace, UploadBatch, UploadedFile, Uploads } from './types.js'
export { createUploads } from './uploads.js'
