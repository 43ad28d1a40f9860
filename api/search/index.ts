export { pageProviderAdapter } from './pp-adapter.js'
export { createSearchRoutes } from './routes.js'
export { createSavedSearchRoutes } from './saved-search-routes.js'
export { searchDocs } from './search.docs.js'
