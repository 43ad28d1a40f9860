export { type BulkProgress, collectBulk, runBulkBucket } from './process.js'
