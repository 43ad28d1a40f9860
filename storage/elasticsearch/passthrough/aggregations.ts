import { type Budget, readQuery, spend } from './clauses.js'
import { MAX_NAME, type Part, partAt, refuseAt, requireKnown, requirePlain } from './refuse.js'

const MAX_AGGREGATIONS = 50
const MAX_DEPTH = 5

/** Most documents that one bucket may show. */
const MAX_TOP_HITS = 100

type Walk = { path: string; budget: Budget }

/** Checks the body of one kind of aggregation, and gives what is asked of the engine. */
type Read = (body: Part, walk: Walk) => Part

/** An aggregation that takes these options and no others. */
const taking =
  (...options: readonly string[]): Read =>
  (body, { path, budget }) => {
    requirePlain(body, path, 1)
    requireKnown(body, options, path)
    if (Array.isArray(body.ranges)) spend(budget, body.ranges.length, path)
    return body
  }

const VALUES = ['field', 'missing', 'format', 'time_zone']
const BUCKETS = [...VALUES, 'offset', 'order', 'keyed', 'min_doc_count', 'extended_bounds', 'hard_bounds']
const TERMS = [
  ...[...VALUES, 'size', 'shard_size', 'order', 'min_doc_count', 'shard_min_doc_count', 'include', 'exclude'],
  ...['collect_mode', 'execution_hint', 'show_term_doc_count_error', 'value_type'],
]

const termsOptions = taking(...TERMS)

/** Buckets of terms that no found document has would show what hidden ones have; the engine cuts 0.5 down to none. */
const terms: Read = (body, walk) => {
  const { min_doc_count: least = 1 } = body
  if (!(Number.isSafeInteger(least) && Number(least) > 0))
    throw refuseAt(`${walk.path}.min_doc_count`, 'must be a whole number of more than 0')
  return termsOptions(body, walk)
}

const topHitsOptions = taking(
  ...['size', 'from', 'sort', '_source', 'docvalue_fields', 'stored_fields', 'version', 'track_scores'],
)

const topHits: Read = (body, walk) => {
  for (const name of ['size', 'from'])
    if (Number(body[name] ?? 0) > MAX_TOP_HITS)
      throw refuseAt(`${walk.path}.${name}`, `must be at most ${MAX_TOP_HITS}`)
  return topHitsOptions(body, walk)
}

const filter: Read = (body, { path, budget }) => readQuery(body, { path, depth: 0, budget })

const requireName = (name: string, path: string): void => {
  if (name.length > MAX_NAME) throw refuseAt(path, `a name may have at most ${MAX_NAME} characters`)
}

const filters: Read = ({ filters: asked, ...options }, { path, budget }) => {
  requirePlain(options, path)
  requireKnown(options, ['other_bucket', 'other_bucket_key', 'keyed'], path)
  const walk = { path: `${path}.filters`, depth: 0, budget }
  if (Array.isArray(asked)) return { ...options, filters: asked.map((query) => readQuery(query, walk)) }
  const named = Object.entries(partAt(asked, walk.path)).map(([name, query]) => {
    requireName(name, walk.path)
    return [name, readQuery(query, walk)]
  })
  return { ...options, filters: Object.fromEntries(named) }
}

/**
 * The aggregations that may be asked. Not among them are those that count beyond what a query finds: `global`, and
 * significant terms, which compare with the whole index.
 */
const AGGREGATIONS: { readonly [name: string]: Read } = {
  range: taking(...VALUES, 'ranges', 'keyed'),
  date_range: taking(...VALUES, 'ranges', 'keyed'),
  histogram: taking(...BUCKETS, 'interval'),
  date_histogram: taking(...BUCKETS, 'interval', 'calendar_interval', 'fixed_interval'),
  auto_date_histogram: taking(...VALUES, 'buckets', 'minimum_interval'),
  missing: taking('field'),
  nested: taking('path'),
  reverse_nested: taking('path'),
  // Neither takes options of its precision: a bucket could then hold megabytes that the engine does not count.
  cardinality: taking(...VALUES),
  percentiles: taking(...VALUES, 'percents', 'keyed'),
  percentile_ranks: taking(...VALUES, 'values', 'keyed'),
  ...Object.fromEntries(
    ['value_count', 'sum', 'avg', 'min', 'max', 'stats'].map((name) => [name, taking(...VALUES)]),
  ),
  extended_stats: taking(...VALUES, 'sigma'),
  ...Object.fromEntries(
    ['avg_bucket', 'sum_bucket', 'min_bucket', 'max_bucket', 'stats_bucket', 'cumulative_sum'].map((name) => [
      name,
      taking('buckets_path', 'gap_policy', 'format'),
    ]),
  ),
  derivative: taking('buckets_path', 'gap_policy', 'format', 'unit'),
  terms,
  filter,
  filters,
  top_hits: topHits,
}

const NESTED = ['aggs', 'aggregations']

const readAggregation = (asked: unknown, { path, budget }: Walk, depth: number): Part =>
  Object.fromEntries(
    Object.entries(partAt(asked, path)).map(([type, body]) => {
      const at = `${path}.${type}`
      if (NESTED.includes(type)) return [type, readAggregations(body, { path: at, budget }, depth + 1)]
      if (!Object.hasOwn(AGGREGATIONS, type)) throw refuseAt(path, `the aggregation ${type} is not allowed`)
      return [type, AGGREGATIONS[type]!(partAt(body, at), { path: at, budget })]
    }),
  )

/**
 * Checks the aggregations of a search, and those within their buckets, and gives what is asked of the engine.
 *
 * @throws badRequest for a type that is not in the table, for scripts, and for too many.
 */
export const readAggregations = (asked: unknown, { path, budget }: Walk, depth = 1): Part => {
  if (depth > MAX_DEPTH) throw refuseAt(path, `aggregations may be ${MAX_DEPTH} levels deep`)
  return Object.fromEntries(
    Object.entries(partAt(asked, path)).map(([name, value]) => {
      requireName(name, path)
      budget.aggregations += 1
      if (budget.aggregations > MAX_AGGREGATIONS)
        throw refuseAt(path, `a search may have at most ${MAX_AGGREGATIONS} aggregations`)
      return [name, readAggregation(value, { path: `${path}.${name}`, budget }, depth)]
    }),
  )
}
