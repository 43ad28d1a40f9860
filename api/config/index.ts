export { configDocs, createConfigRoutes } from './routes.js'
