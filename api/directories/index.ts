export { directoryDocs } from './directories.docs.js'
export { createDirectoryRoutes } from './routes.js'
