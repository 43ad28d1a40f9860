export { blobAt, blobXpath } from './blob-at.js'
export { type DownloadPath, parseDownloadPath } from './download-path.js'
export { createDownloadRoutes } from './routes.js'
export { asWebStream, sendBlob } from './send-blob.js'
