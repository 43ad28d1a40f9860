export {
  type ConversionDependencies,
  type ConversionRoutes,
  conversionDocs,
  createConversionRoutes,
} from './routes.js'
