import {
  ALL_NEAR,
  hasLongNearWord,
  MAX_NEAR,
  regularExpressionsIn,
  WITHOUT_NEAR_WORDS,
} from '../engine/index.js'
import { isPart, type Part, partAt, refuseAt, requireKnown, requirePlain, requireShort } from './refuse.js'

/** How much one search may ask. */
const MAX_CLAUSES = 1_000
const MAX_DEPTH = 20

/** What a search has asked so far, and whether it is that of an administrator. */
export type Budget = { clauses: number; aggregations: number; isAdministrator: boolean }

/** @throws badRequest once a search has more than it may have of conditions, ranges counted as such. */
export const spend = (budget: Budget, clauses: number, path: string): void => {
  budget.clauses += clauses
  if (budget.clauses > MAX_CLAUSES)
    throw refuseAt(path, `a search may have at most ${MAX_CLAUSES} conditions`)
}

type Walk = { path: string; depth: number; budget: Budget }

/** Checks the body of one kind of query, and gives what is asked of the engine. */
type Read = (body: Part, walk: Walk) => Part

/** Options and nothing else: `{ "query": "text", "fields": ["dc:title"] }`. */
const flat =
  (options: readonly string[], added: Part = {}): Read =>
  (body, { path }) => {
    requirePlain(body, path)
    requireKnown(body, options, path)
    return { ...body, ...added }
  }

/** A field with its value or its options: `{ "dc:title": { "value": "a" } }`. */
const ofField =
  (options: readonly string[], { text = 'query', added = {} }: { text?: string; added?: Part } = {}): Read =>
  (body, { path }) => {
    requirePlain(body, path, 1)
    return Object.fromEntries(
      Object.entries(body).map(([field, asked]) => {
        if (isPart(asked)) requireKnown(asked, options, `${path}.${field}`)
        else if (Object.keys(added).length === 0) return [field, asked]
        return [field, { ...(isPart(asked) ? asked : { [text]: asked }), ...added }]
      }),
    )
  }

/** Longest pattern, and longest text in the language of the engine's own queries, whose words may be patterns. */
const MAX_PATTERN = 1_000
const MAX_QUERY_TEXT = 2_000

/** Conditions that one counts as for which the engine goes through the words of an index. */
const PATTERN_COST = 20

const costly =
  (read: Read, longest: number): Read =>
  (body, walk) => {
    spend(walk.budget, PATTERN_COST, walk.path)
    requireShort(body, walk.path, longest)
    return read(body, walk)
  }

/** Fields that a text is looked for in where none are named, or by wildcards: some of those that hold texts. */
const MANY_FIELDS = 20

const countOf = (fields: unknown): number => {
  const names: readonly unknown[] = Array.isArray(fields) ? fields : [fields ?? '*']
  return names.some((name) => String(name).includes('*')) ? MANY_FIELDS : names.length
}

const queryText =
  (read: Read): Read =>
  (body, walk) => {
    const { query, fields, default_field: field } = body
    if (typeof query === 'string')
      spend(walk.budget, regularExpressionsIn(query) * countOf(fields ?? field) * PATTERN_COST, walk.path)
    if (typeof query === 'string' && hasLongNearWord(query))
      throw refuseAt(`${walk.path}.query`, `a word before ~ may have at most ${MAX_NEAR} characters`)
    return costly(read, MAX_QUERY_TEXT)(body, walk)
  }

/** The beginning of a phrase stops at the first words of the whole index with it, those of hidden documents among them. */
const phrasePrefix =
  (read: Read, isOne: (body: Part) => boolean = () => true): Read =>
  (body, walk) => {
    if (isOne(body) && !walk.budget.isAdministrator)
      throw refuseAt(
        walk.path,
        'the beginning of a phrase is for administrators: it stops at the first words of the whole index; use match_bool_prefix',
      )
    return read(body, walk)
  }

const isPhrasePrefix = ({ type }: Part): boolean => type === 'phrase_prefix'

/** Lists of values; a look-up of values in another document is an object instead. */
const terms: Read = (body, { path }) => {
  for (const [field, values] of Object.entries(body))
    if (field !== 'boost' && !Array.isArray(values))
      throw refuseAt(`${path}.${field}`, 'must be a list of values')
  requirePlain(body, path)
  return body
}

/** Points and shapes have some levels of coordinates by name. */
const geo: Read = (body, { path }) => {
  requirePlain(body, path, 3)
  return body
}

/** Queries under some names, options under others. */
const compound =
  (names: readonly string[], ...options: readonly string[]): Read =>
  (body, walk) => {
    const others = Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
    requirePlain(others, walk.path)
    requireKnown(others, ['boost', ...options], walk.path)
    const inside = names.flatMap((name) => {
      if (!Object.hasOwn(body, name)) return []
      const path = `${walk.path}.${name}`
      const asked = body[name]
      const read = (query: unknown): Part => readQuery(query, { ...walk, path })
      return [[name, Array.isArray(asked) ? asked.map(read) : read(asked)] as const]
    })
    return { ...others, ...Object.fromEntries(inside) }
  }

/** Nothing is scored but for administrators: for others it is the query that it is about. */
const functionScore: Read = ({ functions = [], query, ...options }, walk) => {
  const scored = (asked: unknown, path: string): Part => {
    const { filter, ...how } = partAt(asked, path)
    requirePlain(how, path, 2)
    return filter === undefined
      ? how
      : { ...how, filter: readQuery(filter, { ...walk, path: `${path}.filter` }) }
  }
  requirePlain(options, walk.path, 2)
  return {
    ...options,
    functions: [functions].flat().map((each, at) => scored(each, `${walk.path}.functions[${at}]`)),
    ...(query !== undefined && { query: readQuery(query, { ...walk, path: `${walk.path}.query` }) }),
  }
}

const NEAR_BY: Part = { fuzzy_rewrite: ALL_NEAR }

const NEAR = ['fuzziness', 'prefix_length', 'max_expansions', 'fuzzy_transpositions', 'fuzzy_rewrite']
const WORDS = ['query', 'analyzer', 'boost', 'zero_terms_query', 'auto_generate_synonyms_phrase_query']
const MATCH = [...WORDS, ...NEAR, 'operator', 'minimum_should_match', 'lenient', 'cutoff_frequency']
const PHRASE = [...WORDS, 'slop']
const MULTI = [...MATCH, 'fields', 'type', 'tie_breaker', 'slop']
const TEXT = [
  ...['query', 'fields', 'default_operator', 'analyzer', 'analyze_wildcard', 'lenient', 'boost', 'flags'],
  ...['minimum_should_match', 'quote_field_suffix', 'auto_generate_synonyms_phrase_query'],
  ...['fuzzy_max_expansions', 'fuzzy_prefix_length', 'fuzzy_transpositions'],
]
const QUERY_STRING = [
  ...[...TEXT, 'default_field', 'quote_analyzer', 'allow_leading_wildcard', 'phrase_slop', 'fuzziness'],
  ...['fuzzy_rewrite', 'time_zone', 'type', 'tie_breaker', 'escape', 'max_determinized_states'],
]
const RANGE = [
  'gte',
  'gt',
  'lte',
  'lt',
  'from',
  'to',
  'include_lower',
  'include_upper',
  'format',
  'time_zone',
]
const PATTERN = ['value', 'case_insensitive', 'boost']

/** The queries that may be asked. Whatever else the engine knows is refused: what it learns tomorrow, too. */
const CLAUSES: { readonly [name: string]: Read } = {
  match_all: flat(['boost']),
  match_none: flat(['boost']),
  match: ofField(MATCH, { added: NEAR_BY }),
  match_phrase: ofField(PHRASE),
  match_phrase_prefix: phrasePrefix(ofField([...PHRASE, 'max_expansions'])),
  match_bool_prefix: ofField(MATCH, { added: NEAR_BY }),
  multi_match: phrasePrefix(flat(MULTI, NEAR_BY), isPhrasePrefix),
  query_string: phrasePrefix(queryText(flat(QUERY_STRING, NEAR_BY)), isPhrasePrefix),
  simple_query_string: costly(flat(TEXT, { flags: WITHOUT_NEAR_WORDS }), MAX_QUERY_TEXT),
  term: ofField(PATTERN),
  terms,
  range: ofField([...RANGE, 'relation', 'boost']),
  exists: flat(['field', 'boost']),
  prefix: costly(ofField(PATTERN), MAX_PATTERN),
  wildcard: costly(ofField([...PATTERN, 'wildcard']), MAX_PATTERN),
  regexp: costly(ofField([...PATTERN, 'flags', 'max_determinized_states']), MAX_PATTERN),
  fuzzy: costly(
    ofField(['value', 'fuzziness', 'prefix_length', 'max_expansions', 'transpositions', 'boost'], {
      text: 'value',
      added: { rewrite: ALL_NEAR },
    }),
    MAX_NEAR,
  ),
  ids: flat(['values', 'type', 'boost']),
  geo_distance: geo,
  geo_bounding_box: geo,
  bool: compound(['must', 'filter', 'should', 'must_not'], 'minimum_should_match', 'adjust_pure_negative'),
  constant_score: compound(['filter']),
  dis_max: compound(['queries'], 'tie_breaker'),
  boosting: compound(['positive', 'negative'], 'negative_boost'),
  nested: compound(['query'], 'path', 'score_mode', 'ignore_unmapped'),
  function_score: functionScore,
}

/**
 * Checks a query and all that is in it, and gives what is asked of the engine.
 *
 * @throws badRequest for a kind or an option that is not in the table, for scripts, look-ups in other documents, and for too
 * much.
 */
export const readQuery = (query: unknown, { path, depth, budget }: Walk): Part => {
  spend(budget, 1, path)
  if (depth > MAX_DEPTH) throw refuseAt(path, `conditions may be ${MAX_DEPTH} levels deep`)
  const entries = Object.entries(partAt(query, path))
  const [named] = entries
  if (!named || entries.length > 1) throw refuseAt(path, 'must have exactly one kind of query')
  const [kind, body] = named
  if (!Object.hasOwn(CLAUSES, kind)) throw refuseAt(path, `the query ${kind} is not allowed`)
  const at = `${path}.${kind}`
  const read = CLAUSES[kind]!(partAt(body, at), { path: at, depth: depth + 1, budget })
  if (kind === 'function_score' && !budget.isAdministrator)
    return (read.query as Part | undefined) ?? { match_all: {} }
  return { [kind]: read }
}
