import type { estypes } from '@elastic/elasticsearch'
import type { GroupCount } from '../../../core/content/stores/index.js'
import {
  type Bounds,
  type Grouping,
  groupedPlace,
  type Metric,
  type Query,
  type Reference,
} from '../../../core/model/nxql/index.js'
import type { Clause } from './clauses.js'
import { compileMatches, type IndexScope, incompleteClause } from './compile.js'
import { notAnswerable } from './not-answerable.js'
import { fieldOf, type IndexPlace } from './place.js'
import { exactSum, type Found as Stats } from './rows/one-row.js'
import { quotientText } from './rows/quotient.js'

type Aggregation = estypes.AggregationsAggregationContainer

/** What an aggregation named `counts` has found. */
type Found = {
  buckets?: readonly { key: string | number; key_as_string?: string; doc_count: number }[]
  stats?: Stats
  missing?: { doc_count: number }
}

/** Counts of a query, as parts of a search body, and how its answer is read. */
export type AggregatePlan = {
  query: Clause
  aggregation: Aggregation
  incomplete: Clause | undefined
  read(found: Found): GroupCount[]
}

/** Of one search; Elasticsearch makes no more. */
const MAX_BUCKETS = 10_000

/** What means the same in the regular expressions of both engines. */
const PLAIN_EXPRESSION = /^(?:[\p{L}\p{N} _:/,%'-]|\.|\||\*|\+|\?|\(|\)|\[[\p{L}\p{N}_^-]+\])*$/u

const plain = (expression: string): string => {
  if (PLAIN_EXPRESSION.test(expression)) return expression
  throw notAnswerable(`${expression} may mean something else to the index`)
}

const termsAggregation = (
  field: string,
  { size, minCount, order, include, exclude }: Extract<Grouping, { kind: 'terms' }>,
): Aggregation => {
  if (size > MAX_BUCKETS) throw notAnswerable(`more than ${MAX_BUCKETS} values are counted`)
  const direction = order.isAscending ? 'asc' : 'desc'
  return {
    terms: {
      field,
      size,
      min_doc_count: Math.max(1, minCount),
      // Else rare values take places before they are left out; there is one shard.
      shard_min_doc_count: Math.max(1, minCount),
      order: order.by === 'term' ? { _key: direction } : [{ _count: direction }, { _key: 'asc' }],
      ...(include !== undefined && { include: plain(include) }),
      ...(exclude !== undefined && { exclude: plain(exclude) }),
    },
  }
}

const rangeFilter = (field: string, { from, to }: Bounds): Clause => ({
  range: { [field]: { ...(from !== null && { gte: from }), ...(to !== null && { lt: to }) } },
})

const countsOf = ({ buckets = [] }: Found): GroupCount[] =>
  buckets.map(({ key, key_as_string, doc_count }) => ({
    key: key_as_string ?? String(key),
    count: doc_count,
  }))

/** A metric of whole numbers as the repository prints it; of none only their numbers are known. */
const metricOf = (metric: Metric, stats: Stats, missing: number): string | null => {
  const { count = 0, min, max } = stats
  if (metric === 'count') return String(count)
  if (metric === 'missing') return String(missing)
  if (count === 0) return null
  // All other figures of them have all digits where their sum has.
  const sum = exactSum(stats)
  if (metric === 'avg') return quotientText(BigInt(sum), BigInt(count))
  return String(metric === 'sum' ? sum : metric === 'min' ? min : max)
}

const metricPlan = (
  { field, mapping }: IndexPlace,
  metric: Metric,
): Pick<AggregatePlan, 'aggregation' | 'read'> => {
  if (mapping.type !== 'long' || metric === 'cardinality')
    throw notAnswerable(`${metric} is computed with all digits`)
  const aggs: { [name: string]: Aggregation } = {
    stats: { stats: { field } },
    missing: { missing: { field } },
  }
  return {
    aggregation: { filter: { match_all: {} }, aggs },
    read: ({ stats = {}, missing: { doc_count } = { doc_count: 0 } }) => [
      // A row for each value, and one for a document without.
      { key: metricOf(metric, stats, doc_count), count: (stats.count ?? 0) + doc_count },
    ],
  }
}

const planFor = (place: IndexPlace, grouping: Grouping): Pick<AggregatePlan, 'aggregation' | 'read'> => {
  const { field, type } = place
  switch (grouping.kind) {
    case 'terms':
      if (type !== 'text') throw notAnswerable('values other than texts are sorted as texts')
      return { aggregation: termsAggregation(field, grouping), read: countsOf }
    case 'ranges': {
      const filters = grouping.ranges.map((range) => rangeFilter(field, range))
      return {
        aggregation: { filters: { filters } },
        read: ({ buckets = [] }) =>
          buckets.map(({ doc_count }, position) => ({ key: String(position), count: doc_count })),
      }
    }
    case 'histogram':
      if (place.mapping.type !== 'long') throw notAnswerable('intervals are computed with all digits')
      return {
        aggregation: { histogram: { field, interval: grouping.interval, min_doc_count: 1 } },
        read: countsOf,
      }
    case 'dateHistogram': {
      const interval: estypes.AggregationsDateHistogramAggregation =
        'unit' in grouping
          ? {
              calendar_interval: grouping.unit as estypes.AggregationsCalendarInterval,
              time_zone: grouping.timeZone,
            }
          : { fixed_interval: `${grouping.milliseconds}ms` }
      return {
        aggregation: { date_histogram: { field, ...interval, min_doc_count: 1 } },
        read: ({ buckets = [] }) =>
          buckets.map(({ key, doc_count }) => ({ key: String(key), count: doc_count })),
      }
    }
    case 'metric':
      return metricPlan(place, grouping.metric)
  }
}

/**
 * Compiles counts of what matches a query by the values of a property.
 *
 * @throws NotAnswerable where the index would count otherwise than the repository; badRequest as that does.
 */
export const compileAggregate = (
  query: Query,
  { reference, grouping }: { reference: Reference; grouping: Grouping },
  scope: IndexScope,
): AggregatePlan => {
  const { context, matches } = compileMatches(query, scope)
  const place = fieldOf(groupedPlace(reference, grouping, scope.model), context)
  context.complete.add(place.field)
  return { query: matches, ...planFor(place, grouping), incomplete: incompleteClause(context.complete) }
}
