import { type Budget, checkQuery, spend } from './clauses.js'
import { type Part, partAt, refuseAt, requirePlain } from './refuse.js'

const MAX_AGGREGATIONS = 200
const MAX_DEPTH = 5

/** Most documents that one bucket may show. */
const MAX_TOP_HITS = 100

type Walk = { path: string; budget: Budget }

type Check = (body: Part, walk: Walk) => void

/** An aggregation that takes these options and no others: what the engine learns tomorrow is refused, too. */
const taking =
  (...options: readonly string[]): Check =>
  (body, { path, budget }) => {
    requirePlain(body, path, 1)
    for (const name of Object.keys(body))
      if (!options.includes(name)) throw refuseAt(`${path}.${name}`, 'is not allowed here')
    if (Array.isArray(body.ranges)) spend(budget, body.ranges.length, path)
  }

const VALUES = ['field', 'missing', 'format', 'time_zone']
const BUCKETS = [...VALUES, 'offset', 'order', 'keyed', 'min_doc_count', 'extended_bounds', 'hard_bounds']
const TERMS = [
  ...[...VALUES, 'size', 'shard_size', 'order', 'min_doc_count', 'shard_min_doc_count', 'include', 'exclude'],
  ...['collect_mode', 'execution_hint', 'show_term_doc_count_error', 'value_type'],
]

const termsOptions = taking(...TERMS)

/** Buckets of terms that no found document has would show what hidden ones have; the engine cuts 0.5 down to none. */
const terms: Check = (body, walk) => {
  const { min_doc_count: least = 1 } = body
  if (!(Number.isSafeInteger(least) && Number(least) > 0))
    throw refuseAt(`${walk.path}.min_doc_count`, 'must be a whole number of more than 0')
  termsOptions(body, walk)
}

const topHitsOptions = taking(
  ...['size', 'from', 'sort', '_source', 'docvalue_fields', 'stored_fields', 'version', 'track_scores'],
)

const topHits: Check = (body, walk) => {
  for (const name of ['size', 'from'])
    if (Number(body[name] ?? 0) > MAX_TOP_HITS)
      throw refuseAt(`${walk.path}.${name}`, `must be at most ${MAX_TOP_HITS}`)
  topHitsOptions(body, walk)
}

const filter: Check = (body, { path, budget }) => checkQuery(body, { path, depth: 0, budget })

const filters: Check = ({ filters: asked, ...options }, { path, budget }) => {
  const queries = Array.isArray(asked) ? asked : Object.values(partAt(asked, `${path}.filters`))
  for (const name of Object.keys(options))
    if (!['other_bucket', 'other_bucket_key', 'keyed'].includes(name))
      throw refuseAt(`${path}.${name}`, 'is not allowed here')
  for (const query of queries) checkQuery(query, { path: `${path}.filters`, depth: 0, budget })
  requirePlain(options, path)
}

/**
 * The aggregations that may be asked. Not among them are those that count beyond what a query finds: `global`, and
 * significant terms, which compare with the whole index.
 */
const AGGREGATIONS: { readonly [name: string]: Check } = {
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

/**
 * Checks the aggregations of a search, and those within their buckets.
 *
 * @throws badRequest for a type that is not in the table, for scripts, and for too many.
 */
export const checkAggregations = (asked: unknown, { path, budget }: Walk, depth = 1): void => {
  if (depth > MAX_DEPTH) throw refuseAt(path, `aggregations may be ${MAX_DEPTH} levels deep`)
  for (const [name, value] of Object.entries(partAt(asked, path))) {
    budget.aggregations += 1
    if (budget.aggregations > MAX_AGGREGATIONS)
      throw refuseAt(path, `a search may have at most ${MAX_AGGREGATIONS} aggregations`)
    const at = `${path}.${name}`
    for (const [type, body] of Object.entries(partAt(value, at))) {
      if (type === 'meta') requirePlain(body, `${at}.meta`)
      else if (NESTED.includes(type)) checkAggregations(body, { path: `${at}.${type}`, budget }, depth + 1)
      else if (Object.hasOwn(AGGREGATIONS, type))
        AGGREGATIONS[type]!(partAt(body, `${at}.${type}`), { path: `${at}.${type}`, budget })
      else throw refuseAt(at, `the aggregation ${type} is not allowed`)
    }
  }
}
