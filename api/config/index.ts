export { createConfigRoutes } from './routes.js'
