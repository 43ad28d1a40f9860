export { createConversionRuns } from './conversion-runs.js'
