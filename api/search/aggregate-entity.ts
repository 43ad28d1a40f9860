import type { Aggregate } from '../../core/page-providers/index.js'

/** An aggregate as nxql-search.md §8.3 shows it. */
const aggregateEntity = ({ id, field, properties, ranges, selection, type, ...counted }: Aggregate) => ({
  'entity-type': 'aggregate',
  id,
  field,
  properties,
  ranges,
  selection,
  type,
  ...('value' in counted && { value: counted.value }),
  buckets: counted.buckets,
  extendedBuckets: counted.extendedBuckets,
})

/** Aggregates by id; undefined when there are none, as a page without any has no such field. */
export const aggregationsOf = (aggregates: readonly Aggregate[]): object | undefined =>
  aggregates.length === 0
    ? undefined
    : Object.fromEntries(aggregates.map((aggregate) => [aggregate.id, aggregateEntity(aggregate)]))
