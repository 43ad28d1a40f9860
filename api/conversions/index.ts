export { conversionDocs } from './conversions.docs.js'
export { type ConversionJobs, createConversionJobs } from './jobs.js'
export { type ConversionDependencies, type ConversionRoutes, createConversionRoutes } from './routes.js'
