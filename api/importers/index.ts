export { createImporterRoutes, importerDocs } from './routes.js'
