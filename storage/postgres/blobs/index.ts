export { createBlobLedger } from './ledger.js'
export { blobReferencesIn } from './references.js'
export { claimBlobStore } from './store-mark.js'
