export { createIdentityRoutes } from './routes.js'
