export { groupEntities, userEntities } from './entities.js'
export { identityDocs } from './identity.docs.js'
export { createIdentityRoutes } from './routes.js'
