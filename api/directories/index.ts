export { createDirectoryRoutes, directoryDocs } from './routes.js'
