export { groupEntities, userEntities } from './entities.js'
export { createIdentityRoutes, identityDocs } from './routes.js'
