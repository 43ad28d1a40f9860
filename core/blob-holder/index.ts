export { blobAt, blobsAt, blobsIn, blobXpath } from './blob-at.js'
