export { createIdentityRoutes, identityDocs } from './routes.js'
