export { listConversions } from './list-conversions.js'
