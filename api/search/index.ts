export { pageProviderAdapter } from './pp-adapter.js'
export { createSearchRoutes } from './routes.js'
export { searchDocs } from './search.docs.js'
