export { createS3BlobStore } from './s3-store.js'
