export { type ConversionJobs, createConversionJobs } from './jobs.js'
export {
  type ConversionDependencies,
  type ConversionRoutes,
  conversionDocs,
  createConversionRoutes,
} from './routes.js'
