import type { Clause } from '../clauses.js'

/** What an operator of a hint is given; single-field ones take the first field. */
export type HintAsked = {
  fields: readonly { field: string; boost: number | null }[]
  value: string
  analyzer?: string
}

const firstOf = ({ fields }: HintAsked): string => fields[0]!.field

const boosted = ({ fields }: HintAsked): string[] =>
  fields.map(({ field, boost }) => (boost === null ? field : `${field}^${boost}`))

const analyzed = ({ analyzer }: HintAsked) => (analyzer === undefined ? {} : { analyzer })

/** One trailing star is what a prefix is written with elsewhere. */
const withoutStar = (value: string): string =>
  value.length > 2 && value.endsWith('*') ? value.slice(0, -1) : value

const match = (asked: HintAsked): Clause => ({
  match: { [firstOf(asked)]: { query: asked.value, ...analyzed(asked) } },
})

/** The operators of hints by their names in lower case. `common` is gone from the engine: `match` takes its place. */
export const OPERATORS: { readonly [operator: string]: (asked: HintAsked) => Clause } = {
  match,
  common: match,
  match_phrase: (asked) => ({
    match_phrase: { [firstOf(asked)]: { query: asked.value, ...analyzed(asked) } },
  }),
  match_phrase_prefix: (asked) => ({
    match_phrase_prefix: { [firstOf(asked)]: { query: withoutStar(asked.value), ...analyzed(asked) } },
  }),
  multi_match: (asked) => ({
    multi_match: { fields: boosted(asked), query: asked.value, ...analyzed(asked) },
  }),
  query_string: (asked) => ({
    query_string: { fields: boosted(asked), query: asked.value, ...analyzed(asked) },
  }),
  simple_query_string: (asked) => ({
    simple_query_string: { fields: boosted(asked), query: asked.value, ...analyzed(asked) },
  }),
  fuzzy: (asked) => ({ fuzzy: { [firstOf(asked)]: { value: asked.value } } }),
  wildcard: (asked) => ({ wildcard: { [firstOf(asked)]: { value: asked.value } } }),
  regex: (asked) => ({ regexp: { [firstOf(asked)]: { value: asked.value } } }),
}
