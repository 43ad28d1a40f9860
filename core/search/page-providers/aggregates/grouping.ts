import type { Grouping, TermOrder } from '../../../model/nxql/index.js'
import type { AggregateDefinition } from './definition.js'
import { definedRanges, intervalOf, timeZoneOf } from './ranges.js'

const DEFAULT_SIZE = 10

const termOrder = (order: string | undefined): TermOrder => {
  const [by = 'count', direction = 'desc'] = (order ?? 'count desc').toLowerCase().split(' ')
  return { by: by === 'count' ? 'count' : 'term', isAscending: direction === 'asc' }
}

/** How the repository counts for an aggregate. */
export const groupingOf = (aggregate: AggregateDefinition, now: Date): Grouping => {
  const { properties } = aggregate
  switch (aggregate.type) {
    case 'terms':
    case 'significant_terms':
      return {
        kind: 'terms',
        size: properties.size ?? DEFAULT_SIZE,
        minCount: Math.max(1, properties.minDocCount ?? 1),
        order: termOrder(properties.order),
        ...(properties.include !== undefined && { include: properties.include }),
        ...(properties.exclude !== undefined && { exclude: properties.exclude }),
      }
    case 'range':
    case 'date_range':
      return { kind: 'ranges', ranges: definedRanges(aggregate, now) }
    case 'histogram':
      return { kind: 'histogram', interval: Number(properties.interval) }
    case 'date_histogram': {
      const interval = intervalOf(aggregate)
      return 'unit' in interval
        ? { kind: 'dateHistogram', unit: interval.unit, timeZone: timeZoneOf(aggregate) }
        : { kind: 'dateHistogram', milliseconds: interval.milliseconds }
    }
    default:
      return { kind: 'metric', metric: aggregate.type }
  }
}
