import { type Part, partAt, refuseAt, requirePlain, requireShort } from './refuse.js'

/** How much one search may ask. */
const MAX_CLAUSES = 1_000
const MAX_DEPTH = 20

/** What a search has asked so far. */
export type Budget = { clauses: number; aggregations: number }

/** @throws badRequest once a search has more than it may have of conditions, ranges counted as such. */
export const spend = (budget: Budget, clauses: number, path: string): void => {
  budget.clauses += clauses
  if (budget.clauses > MAX_CLAUSES)
    throw refuseAt(path, `a search may have at most ${MAX_CLAUSES} conditions`)
}

type Walk = { path: string; depth: number; budget: Budget }

type Check = (body: Part, walk: Walk) => void

/** Options and nothing else: `{ "query": "text", "fields": ["dc:title"] }`. */
const flat: Check = (body, { path }) => requirePlain(body, path)

/** A field with its value or its options: `{ "dc:title": { "value": "a" } }`. */
const ofField: Check = (body, { path }) => requirePlain(body, path, 1)

/** Longest text in the language of the engine's own queries, whose words may be patterns. */
const MAX_QUERY_TEXT = 2_000

const queryText: Check = (body, { path }) => {
  requireShort(body, path, MAX_QUERY_TEXT)
  requirePlain(body, path)
}

const pattern: Check = (body, walk) => {
  requireShort(body, walk.path)
  ofField(body, walk)
}

/** Lists of values; a look-up of values in another document is an object instead. */
const terms: Check = (body, { path }) => {
  for (const [field, values] of Object.entries(body))
    if (field !== 'boost' && field !== '_name' && !Array.isArray(values))
      throw refuseAt(`${path}.${field}`, 'must be a list of values')
  requirePlain(body, path)
}

/** Points and shapes have some levels of coordinates by name. */
const geo: Check = (body, { path }) => requirePlain(body, path, 3)

/** Queries under some names, options under all others. */
const compound =
  (...names: readonly string[]): Check =>
  (body, walk) => {
    const { queries, options } = apart(body, names)
    for (const [name, value] of queries)
      for (const query of [value].flat()) checkQuery(query, { ...walk, path: `${walk.path}.${name}` })
    requirePlain(options, walk.path)
  }

const apart = (body: Part, names: readonly string[]) => {
  const entries = Object.entries(body)
  return {
    queries: entries.filter(([name]) => names.includes(name)),
    options: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  }
}

const functionScore: Check = ({ functions = [], ...body }, walk) => {
  const scored = ({ filter, ...options }: Part, path: string): void => {
    if (filter !== undefined) checkQuery(filter, { ...walk, path: `${path}.filter` })
    requirePlain(options, path, 2)
  }
  for (const [position, each] of [functions].flat().entries()) {
    const path = `${walk.path}.functions[${position}]`
    scored(partAt(each, path), path)
  }
  const { query, ...options } = body
  if (query !== undefined) checkQuery(query, { ...walk, path: `${walk.path}.query` })
  requirePlain(options, walk.path, 2)
}

/** The queries that may be asked. Whatever else the engine knows is refused: what it learns tomorrow, too. */
const CLAUSES: { readonly [name: string]: Check } = {
  match_all: flat,
  match_none: flat,
  match: ofField,
  match_phrase: ofField,
  match_phrase_prefix: ofField,
  match_bool_prefix: ofField,
  multi_match: flat,
  query_string: queryText,
  simple_query_string: queryText,
  term: ofField,
  terms,
  range: ofField,
  exists: flat,
  prefix: pattern,
  wildcard: pattern,
  regexp: pattern,
  fuzzy: pattern,
  ids: flat,
  geo_distance: geo,
  geo_bounding_box: geo,
  bool: compound('must', 'filter', 'should', 'must_not'),
  constant_score: compound('filter'),
  dis_max: compound('queries'),
  boosting: compound('positive', 'negative'),
  nested: compound('query'),
  function_score: functionScore,
}

/**
 * Checks a query and all that is in it.
 *
 * @throws badRequest for a kind that is not in the table, for scripts, look-ups in other documents, and for too much.
 */
export const checkQuery = (query: unknown, { path, depth, budget }: Walk): void => {
  spend(budget, 1, path)
  if (depth > MAX_DEPTH) throw refuseAt(path, `conditions may be ${MAX_DEPTH} levels deep`)
  const entries = Object.entries(partAt(query, path))
  const [named] = entries
  if (!named || entries.length > 1) throw refuseAt(path, 'must have exactly one kind of query')
  const [kind, body] = named
  if (!Object.hasOwn(CLAUSES, kind)) throw refuseAt(path, `the query ${kind} is not allowed`)
  CLAUSES[kind]!(partAt(body, `${path}.${kind}`), { path: `${path}.${kind}`, depth: depth + 1, budget })
}
