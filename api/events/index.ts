export { createEventRoutes, eventDocs } from './routes.js'
