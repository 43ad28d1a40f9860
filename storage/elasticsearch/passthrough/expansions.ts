import { isPart, type Part, refuseAt } from './refuse.js'

const ALL_NEAR = 'constant_score'

/** Everything but words that are near: this language cannot lift their limit. */
const WITHOUT_NEAR_WORDS = 'OR|AND|NOT|PREFIX|PHRASE|PRECEDENCE|ESCAPE|WHITESPACE|SLOP'

type Form = (body: Part, path: string) => Part

const ofFields =
  (text: string, options: Part): Form =>
  (body) =>
    Object.fromEntries(
      Object.entries(body).map(([field, asked]) => [
        field,
        isPart(asked) ? { ...asked, ...options } : { [text]: asked, ...options },
      ]),
    )

const phrasePrefix: Form = (_, path) => {
  throw refuseAt(
    path,
    'is for administrators: it stops at the first words of the whole index; use match_bool_prefix',
  )
}

const FORMS: { readonly [kind: string]: Form } = {
  match: ofFields('query', { fuzzy_rewrite: ALL_NEAR }),
  match_bool_prefix: ofFields('query', { fuzzy_rewrite: ALL_NEAR }),
  match_phrase_prefix: phrasePrefix,
  multi_match: (body, path) =>
    body.type === 'phrase_prefix' ? phrasePrefix(body, path) : { ...body, fuzzy_rewrite: ALL_NEAR },
  query_string: (body, path) =>
    body.type === 'phrase_prefix' ? phrasePrefix(body, path) : { ...body, fuzzy_rewrite: ALL_NEAR },
  simple_query_string: (body) => ({ ...body, flags: WITHOUT_NEAR_WORDS }),
  fuzzy: ofFields('value', { rewrite: ALL_NEAR }),
}

/** Queries whose names are fields, so that a kind of query among them is none. */
const OF_FIELDS = new Set([
  'term',
  'terms',
  'range',
  'prefix',
  'wildcard',
  'regexp',
  'match_phrase',
  'ids',
  'exists',
])

/**
 * A checked query, or aggregations, that take all words of an index which are near to one. The engine would take the first
 * or nearest so many: words of hidden documents take the place of others then, so that answers would tell which there are.
 *
 * @throws badRequest for the beginning of a phrase, whose limit cannot be lifted.
 */
export const withAllExpansions = (asked: unknown, path: string): unknown => {
  if (Array.isArray(asked)) return asked.map((each) => withAllExpansions(each, path))
  if (!isPart(asked)) return asked
  return Object.fromEntries(
    Object.entries(asked).map(([name, value]) => {
      const at = `${path}.${name}`
      const form = Object.hasOwn(FORMS, name) && isPart(value) ? FORMS[name] : undefined
      if (form) return [name, form(value as Part, at)]
      return [name, OF_FIELDS.has(name) ? value : withAllExpansions(value, at)]
    }),
  )
}
