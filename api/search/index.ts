export { createSearchRoutes } from './routes.js'
