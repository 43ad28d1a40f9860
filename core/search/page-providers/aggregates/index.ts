export { type Aggregate, type CountBy, computeAggregates, selectionConditions } from './aggregate.js'
export type { Bucket, KeyCount } from './buckets.js'
export type { AggregateDefinition } from './definition.js'
export { nxqlField } from './field.js'
