import type { GroupCount } from '../../../content/stores/index.js'
import { fail } from '../../../platform/errors/index.js'
import { dateMath } from './date-math.js'
import type { AggregateDefinition } from './definition.js'
import { bucketStart, nextBucket } from './interval.js'
import { dateKey, definedRanges, intervalOf, timeZoneOf } from './ranges.js'

/** One bucket as the wire shows it (nxql-search.md §8.3). */
export type Bucket = {
  key: string
  docCount: number
  from?: number | string | null
  to?: number | string | null
  fromAsDate?: string | null
  toAsDate?: string | null
}

/** Empty buckets are filled in up to this number: bounds far apart with a small interval would have millions. */
const MAX_BUCKETS = 10_000

const rangeBuckets = (aggregate: AggregateDefinition, counts: readonly GroupCount[], now: Date): Bucket[] =>
  definedRanges(aggregate, now).map(({ key, from, to }, position) => {
    const docCount = counts.find((row) => row.key === String(position))?.count ?? 0
    if (aggregate.type === 'range') return { key, docCount, from: from ?? '-Infinity', to: to ?? 'Infinity' }
    const millis = (date: string | number | null) => (date === null ? null : Date.parse(String(date)))
    return {
      key,
      docCount,
      from: millis(from),
      to: millis(to),
      fromAsDate: from === null ? null : String(from),
      toAsDate: to === null ? null : String(to),
    }
  })

type Point = { start: number; count: number }

/** Counted buckets with the empty ones between them, as far as the aggregate wants them. */
const filled = (
  { id, properties }: AggregateDefinition,
  counted: readonly Point[],
  { next, bounds }: { next: (start: number) => number; bounds: readonly number[] },
): Point[] => {
  const minimum = properties.minDocCount ?? 1
  const sorted = counted.toSorted((a, b) => a.start - b.start)
  if (minimum > 0) return sorted.filter(({ count }) => count >= minimum)
  const starts = [...sorted.map(({ start }) => start), ...bounds]
  if (starts.length === 0) return []
  const byStart = new Map(sorted.map(({ start, count }) => [start, count]))
  const last = Math.max(...starts)
  const all: Point[] = []
  for (let start = Math.min(...starts); start <= last; start = next(start)) {
    if (all.length >= MAX_BUCKETS) throw fail('badRequest', `${id}: more than ${MAX_BUCKETS} buckets`)
    all.push({ start, count: byStart.get(start) ?? 0 })
  }
  return all
}

const ordered = ({ properties }: AggregateDefinition, points: readonly Point[]): Point[] => {
  const [by = 'key', direction = 'asc'] = (properties.order ?? 'key asc').toLowerCase().split(' ')
  const sign = direction === 'asc' ? 1 : -1
  return points.toSorted((a, b) => sign * (by === 'count' ? a.count - b.count : a.start - b.start))
}

const points = (counts: readonly GroupCount[]): Point[] =>
  counts.map(({ key, count }) => ({ start: Number(key), count }))

const histogramBuckets = (aggregate: AggregateDefinition, counts: readonly GroupCount[]): Bucket[] => {
  const { interval, extendedBoundsMin, extendedBoundsMax } = aggregate.properties
  const size = Number(interval)
  const bounds = [extendedBoundsMin, extendedBoundsMax]
    .filter((bound) => bound !== undefined)
    .map((bound) => Math.floor(Number(bound) / size) * size)
  const all = filled(aggregate, points(counts), { next: (start) => start + size, bounds })
  return ordered(aggregate, all).map(({ start, count }) => ({
    key: String(start),
    docCount: count,
    from: start,
    to: start + size,
  }))
}

const dateHistogramBuckets = (
  aggregate: AggregateDefinition,
  counts: readonly GroupCount[],
  now: Date,
): Bucket[] => {
  const interval = intervalOf(aggregate)
  const timeZone = timeZoneOf(aggregate)
  const next = (start: number) => nextBucket(new Date(start), interval, timeZone).getTime()
  const { extendedBoundsMin, extendedBoundsMax } = aggregate.properties
  const bounds = [extendedBoundsMin, extendedBoundsMax].flatMap((bound) => {
    const date = bound === undefined ? undefined : dateMath(String(bound), now)
    return date ? [bucketStart(date, interval, timeZone).getTime()] : []
  })
  const all = filled(aggregate, points(counts), { next, bounds })
  return ordered(aggregate, all).map(({ start, count }) => ({
    key: dateKey(aggregate, new Date(start)),
    docCount: count,
    from: start,
    to: next(start),
    fromAsDate: new Date(start).toISOString(),
    toAsDate: new Date(next(start)).toISOString(),
  }))
}

/** The buckets of an aggregate from what was counted; ranges keep the order of their definition. */
export const bucketsOf = (
  aggregate: AggregateDefinition,
  counts: readonly GroupCount[],
  now: Date,
): Bucket[] => {
  switch (aggregate.type) {
    case 'range':
    case 'date_range':
      return rangeBuckets(aggregate, counts, now)
    case 'histogram':
      return histogramBuckets(aggregate, counts)
    case 'date_histogram':
      return dateHistogramBuckets(aggregate, counts, now)
    default:
      return counts.map(({ key, count }) => ({ key: String(key), docCount: count }))
  }
}
