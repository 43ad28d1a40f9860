export { pageProviderAdapter } from './pp-adapter.js'
export { createSearchRoutes } from './routes.js'
