export { createExecuteRoutes } from './execute-routes.js'
export { createUploadRoutes } from './routes.js'
export { executeDocs, uploadDocs } from './upload.docs.js'
