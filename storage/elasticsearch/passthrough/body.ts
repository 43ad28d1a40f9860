import { readAggregations } from './aggregations.js'
import { readQuery } from './clauses.js'
import { requireOpenFields } from './hidden-fields.js'
import { isPart, type Part, partAt, refuseAt, requirePlain } from './refuse.js'

/** Entries that one search can be asked to go through. */
const MAX_WINDOW = 10_000

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

const requireScalar = (value: unknown, path: string): void => {
  if (!isScalar(value)) throw refuseAt(path, 'must be a plain value')
}

const requireList = (value: unknown, path: string): void => {
  if (!Array.isArray(value) || !value.every(isScalar)) throw refuseAt(path, 'must be a list of values')
}

/** Most names of fields in one list, and the longest of them: both may be patterns. */
const MAX_FIELDS = 1_000
const MAX_NAME = 1_000

/** Names of fields, or objects with a name and a format. */
const requireFields = (value: unknown, path: string): void => {
  const fields = [value].flat()
  if (fields.length > MAX_FIELDS) throw refuseAt(path, `must have at most ${MAX_FIELDS} values`)
  for (const each of fields) {
    if (!isScalar(each)) requirePlain(each, path)
    else if (String(each).length > MAX_NAME) throw refuseAt(path, `must have at most ${MAX_NAME} characters`)
  }
}

const checkSort = (value: unknown, path: string): void => {
  for (const each of [value].flat()) {
    if (isScalar(each)) continue
    if (Object.hasOwn(partAt(each, path), '_script')) throw refuseAt(path, 'scripts are not allowed')
    requirePlain(each, path, 2)
  }
}

const requireWindow = (value: unknown, path: string): void => {
  if (typeof value === 'number' && value >= 0 && value <= MAX_WINDOW) return
  throw refuseAt(path, `must be a number from 0 to ${MAX_WINDOW}`)
}

/** A field of its own may be highlighted; another query for it would be one more that nobody has checked. */
const checkHighlight = ({ fields, ...options }: Part, path: string): void => {
  for (const each of [fields ?? {}].flat()) requirePlain(each, `${path}.fields`, 1)
  requirePlain(options, path)
}

const CHECKS: { readonly [name: string]: (value: unknown, path: string) => void } = {
  size: requireWindow,
  from: requireWindow,
  sort: checkSort,
  search_after: requireList,
  min_score: requireScalar,
  terminate_after: requireScalar,
  track_total_hits: requireScalar,
  track_scores: requireScalar,
  version: requireScalar,
  _source: (value, path) => (isPart(value) ? requirePlain(value, path) : requireFields(value, path)),
  fields: requireFields,
  docvalue_fields: requireFields,
  stored_fields: requireFields,
  highlight: (value, path) => checkHighlight(partAt(value, path), path),
  collapse: (value, path) => requirePlain(value, path),
}

const AGGREGATIONS = ['aggs', 'aggregations']
const QUERIES = ['query', 'post_filter']

/**
 * Checks what a client asks of the engine, part by part, and gives what is asked of it: nothing passes that is not known to
 * stay within what the query of a search finds.
 *
 * @throws badRequest naming the first part that is refused.
 */
export const readBody = (body: unknown, { isAdministrator }: { isAdministrator: boolean }): Part => {
  if (!isPart(body)) throw refuseAt('body', 'Unable to read the payload: it must be a JSON object')
  const budget = { clauses: 0, aggregations: 0, isAdministrator }
  const read = (name: string, value: unknown): unknown => {
    if (QUERIES.includes(name)) return readQuery(value, { path: name, depth: 0, budget })
    if (AGGREGATIONS.includes(name)) return readAggregations(value, { path: name, budget })
    if (!Object.hasOwn(CHECKS, name)) throw refuseAt(name, 'is not allowed in a search')
    CHECKS[name]!(value, name)
    return value
  }
  const asked = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, read(name, value)]))
  // Behind what bounds its texts.
  if (!isAdministrator) requireOpenFields(body)
  return asked
}
