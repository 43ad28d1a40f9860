export { configDocs } from './config.docs.js'
export { createConfigRoutes } from './routes.js'
