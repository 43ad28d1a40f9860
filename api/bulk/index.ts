export { bulkDocs, createBulkRoutes } from './routes.js'
