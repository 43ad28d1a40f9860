export { type DownloadPath, fileAtPath, parseDownloadPath } from './download-path.js'
export { createDownloadRoutes, downloadDocs } from './routes.js'
export { asWebStream, sendBlob } from './send-blob.js'
export { sendPermitted } from './send-permitted.js'
