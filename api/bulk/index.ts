export { bulkDocs } from './bulk.docs.js'
export { createBulkRoutes } from './routes.js'
