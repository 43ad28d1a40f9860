export { blobAt, blobXpath } from './blob-at.js'
