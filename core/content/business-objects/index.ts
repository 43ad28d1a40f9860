export { adaptersPoint } from './adapters-point.js'
export { type BusinessObjects, createBusinessObjects } from './business-objects.js'
export type { BusinessObject } from './types.js'
