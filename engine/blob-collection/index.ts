export { createBlobCollections } from './blob-collections.js'
