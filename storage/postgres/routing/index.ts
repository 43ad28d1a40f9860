export { createRoutes, ROUTES_CHANNEL } from './routes.js'
