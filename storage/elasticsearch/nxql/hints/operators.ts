import { refuse } from '../../../../core/model/nxql/index.js'
import { ALL_NEAR, WITHOUT_NEAR_WORDS } from '../../engine/index.js'
import { type Clause, NOTHING } from '../clauses.js'
import type { Context } from '../context.js'

/** What an operator of a hint is given; single-field ones take the first field. */
export type HintAsked = {
  fields: readonly { field: string; boost: number | null }[]
  analyzer?: string
}

type OfOne = HintAsked & { value: string }

const firstOf = ({ fields }: HintAsked): string => fields[0]!.field

const boosted = ({ fields }: HintAsked): string[] =>
  fields.map(({ field, boost }) => (boost === null ? field : `${field}^${boost}`))

const analyzed = ({ analyzer }: HintAsked) => (analyzer === undefined ? {} : { analyzer })

/**
 * One trailing star is what a prefix is written with elsewhere, `%` the end of a pattern of LIKE. The engine takes a last
 * word for a beginning only where nothing follows it.
 */
const withoutWildcard = (value: string): string => {
  if (value.length > 1 && value.endsWith('%')) return value.replace(/(?<!%)%+$/, '')
  return value.length > 2 && value.endsWith('*') ? value.slice(0, -1) : value
}

const match = (asked: OfOne): Clause => ({
  match: { [firstOf(asked)]: { query: asked.value, ...analyzed(asked) } },
})

/**
 * All words, the last of them as the beginning of one, and those before it as a phrase. The engine's own query takes the
 * first 50 words of the index with that beginning, those of hidden documents among them.
 */
const phrasePrefix = (asked: OfOne): Clause => {
  const field = firstOf(asked)
  const text = withoutWildcard(asked.value)
  const before = /^(.*\S)\s+\S+\s*$/s.exec(text)?.[1]
  const must: Clause[] = [
    { match_bool_prefix: { [field]: { query: text, operator: 'and', ...analyzed(asked) } } },
  ]
  if (before !== undefined) must.push({ match_phrase: { [field]: { query: before, ...analyzed(asked) } } })
  return { bool: { must } }
}

/** The operators of hints for each of several values, by their names in lower case. `common` is gone from the engine: `match` takes its place. */
export const OPERATORS: { readonly [operator: string]: (asked: OfOne) => Clause } = {
  match,
  common: match,
  match_phrase: (asked) => ({
    match_phrase: { [firstOf(asked)]: { query: asked.value, ...analyzed(asked) } },
  }),
  match_phrase_prefix: phrasePrefix,
  multi_match: (asked) => ({
    multi_match: { fields: boosted(asked), query: asked.value, ...analyzed(asked) },
  }),
  query_string: (asked) => ({
    query_string: {
      fields: boosted(asked),
      query: asked.value,
      fuzzy_rewrite: ALL_NEAR,
      ...analyzed(asked),
    },
  }),
  simple_query_string: (asked) => ({
    simple_query_string: {
      fields: boosted(asked),
      query: asked.value,
      flags: WITHOUT_NEAR_WORDS,
      ...analyzed(asked),
    },
  }),
  fuzzy: (asked) => ({ fuzzy: { [firstOf(asked)]: { value: asked.value, rewrite: ALL_NEAR } } }),
  wildcard: (asked) => ({ wildcard: { [firstOf(asked)]: { value: asked.value } } }),
  regex: (asked) => ({ regexp: { [firstOf(asked)]: { value: asked.value } } }),
}

type OfList = HintAsked & { values: readonly string[] }

/** What the engine reads of documents must be there for the caller: the others are as if they were not. */
const shown = (ids: readonly string[], { shown: readable }: Context): string[] =>
  ids.map((id) => id.toLowerCase()).filter((id) => readable.has(id))

/**
 * All terms count, and a tenth of them must be there. The reference takes those of at least three documents, and the twelve
 * that the fewest have: hidden documents would decide which.
 */
const LIKENESS = { min_term_freq: 1, min_doc_freq: 1, max_query_terms: 1_000, minimum_should_match: '10%' }

/** Operators that take all values of a condition together, and how many there must be. */
export const LIST_OPERATORS: {
  readonly [operator: string]: {
    count?: number
    clause(asked: OfList, context: Context, offset: number): Clause
  }
} = {
  more_like_this: {
    clause: (asked, context) => {
      const like = shown(asked.values, context).map((_id) => ({ _index: context.index, _id }))
      if (like.length === 0) return NOTHING
      const fields = asked.fields.map(({ field }) => field)
      return { more_like_this: { fields, like, ...LIKENESS, ...analyzed(asked) } }
    },
  },
  geo_bounding_box: {
    count: 2,
    clause: (asked) => {
      const [bottom_left = '', top_right = ''] = asked.values
      return { geo_bounding_box: { [firstOf(asked)]: { bottom_left, top_right } } }
    },
  },
  geo_distance: {
    count: 2,
    clause: (asked) => {
      const [point = '', distance = ''] = asked.values
      return { geo_distance: { distance, [firstOf(asked)]: point } }
    },
  },
  geo_shape: {
    count: 4,
    clause: (asked, context, offset) => {
      const [id = '', , index, path = ''] = asked.values
      // Another index would be read without the rights of the caller.
      if (index !== MAIN_INDEX)
        throw refuse(`OPERATOR(geo_shape) takes shapes of the index ${MAIN_INDEX}, not of ${index}`, offset)
      const [own] = shown([id], context)
      if (own === undefined) return NOTHING
      const indexed_shape = { index: context.index, id: own, path }
      return { geo_shape: { [firstOf(asked)]: { indexed_shape, relation: 'within' } } }
    },
  },
}

/** The reference's name for the index of a repository. */
const MAIN_INDEX = 'nuxeo'
