export { groupEntities, userEntities } from './entities.js'
export { createIdentityRoutes } from './routes.js'
