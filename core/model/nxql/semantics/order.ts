import type { ContentModel } from '../../content-model/index.js'
import type { Query, Reference } from '../ast.js'
import { locate, valueAt } from './locate.js'
import { hasAny, type ValuePlace, variablesOf } from './place.js'
import { refuse } from './refuse.js'

/** What a query sorts by. Nulls are the largest; whatever is equal then stands in the order of ids. */
export type SortKey =
  | { kind: 'path' }
  /** How well a document fits the one search of the query. */
  | { kind: 'score'; reference: Reference }
  | { kind: 'value'; place: ValuePlace }

/**
 * What a reference sorts by.
 *
 * @param selected the numbered wildcards of whose elements the rows are made: one may be sorted by, like a property.
 * @throws badRequest for what has no single value.
 */
export const sortKeyOf = (
  reference: Reference,
  model: ContentModel,
  selected: readonly string[] = [],
): SortKey => {
  const located = locate(reference, model)
  const { kind } = located
  if (kind === 'path') return { kind }
  if (kind === 'score') return { kind, reference }
  const place = valueAt(located, reference)
  const element = place && variablesOf(place).at(-1)
  const isSingle =
    place &&
    place.type !== 'opaque' &&
    !place.isList &&
    !hasAny(place) &&
    (element === undefined || selected.includes(element))
  if (!isSingle) throw refuse(`${reference.name} has no single value to ORDER BY`, reference.offset)
  return { kind: 'value', place }
}

/**
 * What is sorted by must be selected where equal rows are listed once (nxql-search.md §4).
 *
 * @throws badRequest for `SELECT DISTINCT a … ORDER BY b`.
 */
export const requireSelected = ({ select, orderBy }: Pick<Query, 'select' | 'orderBy'>): void => {
  if (select.kind === 'all' || !select.distinct) return
  for (const { reference } of orderBy) {
    const isSelected = select.items.some(
      ({ operand }) =>
        operand.kind === 'reference' && operand.name === reference.name && operand.cast === reference.cast,
    )
    if (!isSelected)
      throw refuse(`SELECT DISTINCT cannot ORDER BY ${reference.name}, not selected,`, reference.offset)
  }
}

/**
 * The one search of a query, of which `ecm:fulltextScore` says how well a document fits it (nxql-search.md §4).
 *
 * @throws badRequest with another number of searches.
 */
export const scoredSearch = <Search>({ name, offset }: Reference, searches: readonly Search[]): Search => {
  const [search, ...others] = searches
  if (search === undefined || others.length > 0)
    throw refuse(`${name} needs exactly one condition on ecm:fulltext, not ${searches.length},`, offset)
  return search
}
