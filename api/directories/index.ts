export { createDirectoryRoutes } from './routes.js'
