export { type ConversionsOptions, listConversions } from './list-conversions.js'
export { listConverters } from './list-converters.js'
