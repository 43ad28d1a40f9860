export { userEntity } from './entities/user-entity.js'
export { createIdentityRoutes, identityDocs } from './routes.js'
