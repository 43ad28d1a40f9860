import { type Budget, checkQuery } from './clauses.js'
import { type Part, partAt, refuseAt, requirePlain } from './refuse.js'

const MAX_AGGREGATIONS = 200
const MAX_DEPTH = 5

/** Most documents that one bucket may show. */
const MAX_TOP_HITS = 100

type Walk = { path: string; budget: Budget }

type Check = (body: Part, walk: Walk) => void

/** Options, ranges, bounds and orders. */
const plain: Check = (body, { path }) => requirePlain(body, path, 1)

/** Buckets of terms that no found document has would show what hidden ones have. */
const terms: Check = (body, { path }) => {
  if (body.min_doc_count !== undefined && !(Number(body.min_doc_count) > 0))
    throw refuseAt(`${path}.min_doc_count`, 'must be more than 0')
  requirePlain(body, path, 1)
}

const topHits: Check = (body, { path }) => {
  for (const name of ['size', 'from'])
    if (Number(body[name] ?? 0) > MAX_TOP_HITS)
      throw refuseAt(`${path}.${name}`, `must be at most ${MAX_TOP_HITS}`)
  const { highlight: _, ...options } = body
  if ('highlight' in body) throw refuseAt(`${path}.highlight`, 'is not allowed here')
  requirePlain(options, path, 1)
}

const filter: Check = (body, { path, budget }) => checkQuery(body, { path, depth: 0, budget })

const filters: Check = ({ filters: asked, ...options }, { path, budget }) => {
  const queries = Array.isArray(asked) ? asked : Object.values(partAt(asked, `${path}.filters`))
  for (const query of queries) checkQuery(query, { path: `${path}.filters`, depth: 0, budget })
  requirePlain(options, path)
}

/**
 * The aggregations that may be asked. Not among them are those that count beyond what a query finds: `global`, and
 * significant terms, which compare with the whole index.
 */
const AGGREGATIONS: { readonly [name: string]: Check } = {
  ...Object.fromEntries(
    [
      ...['range', 'date_range', 'histogram', 'date_histogram', 'auto_date_histogram', 'missing', 'nested'],
      ...[
        'reverse_nested',
        'cardinality',
        'value_count',
        'sum',
        'avg',
        'min',
        'max',
        'stats',
        'extended_stats',
      ],
      ...['percentiles', 'percentile_ranks', 'avg_bucket', 'sum_bucket', 'min_bucket', 'max_bucket'],
      ...['stats_bucket', 'derivative', 'cumulative_sum'],
    ].map((name) => [name, plain]),
  ),
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
