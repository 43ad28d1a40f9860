export { blobManagementDocs, createBlobManagementRoutes } from './blob-routes.js'
export { createManagementRoutes, managementDocs } from './routes.js'
export { settleSearches } from './settle-searches.js'
