export { userEntities } from './entities/index.js'
export { createIdentityRoutes, identityDocs } from './routes.js'
