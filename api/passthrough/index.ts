export { createPassthroughRoutes, passthroughDocs } from './routes.js'
