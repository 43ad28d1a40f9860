import type { OrderItem, Query, Reference } from '../../../core/model/nxql/index.js'
import type { Context } from './context.js'
import { scoreText } from './fulltext.js'
import { placeOf, valuePlaceOf } from './place.js'
import { comparable } from './tests.js'
import { TITLE, TITLE_BEGINNING } from './title.js'
import { refuse } from './unsupported.js'

/**
 * The score of `ecm:fulltextScore`, which needs exactly one search in the query (nxql-search.md §4).
 *
 * @throws badRequest with another number of searches.
 */
export const compileScore = ({ name, offset }: Reference, { searched }: Context): string => {
  const [query] = searched
  if (query === undefined || searched.length > 1)
    throw refuse(`${name} needs exactly one condition on ecm:fulltext, not ${searched.length},`, offset)
  return scoreText(query)
}

/** What a reference sorts by; beginnings of titles come first, as the index has them. */
const sortable = (reference: Reference, context: Context, selected: ReadonlySet<string>): string[] => {
  const place = placeOf(reference, context)
  if (place.kind === 'path') return ['d.path']
  if (place.kind === 'score') return [compileScore(reference, context)]
  const value = place.kind === 'state' || place.kind === 'trash' ? valuePlaceOf(reference, context) : place
  const isSingle =
    value?.kind === 'value' &&
    value.scalar.kind !== 'opaque' &&
    value.list === null &&
    value.wildcards.length === 0 &&
    (!value.isCorrelated || [...selected].some((alias) => value.scalar.sql.includes(`${alias}.`)))
  if (!isSingle) throw refuse(`${reference.name} has no single value to ORDER BY`, reference.offset)
  // An id sorts as its text does, and by an index.
  if (value.scalar.kind === 'uuid') return [value.scalar.sql]
  const { sql } = comparable(value.scalar)
  return value.scalar.sql === TITLE ? [TITLE_BEGINNING, sql] : [sql]
}

/**
 * What a query sorts by. Without an ORDER BY the one search decides, if there is just one (§3). Nulls stand
 * where Postgres puts them.
 *
 * @param selected aliases of the elements that the rows are made of: one may be sorted by, like a property.
 */
export const compileOrderBy = (
  items: readonly OrderItem[],
  context: Context,
  selected: ReadonlySet<string> = new Set(),
): string[] => {
  const [only, ...others] = context.searched
  if (items.length === 0) return only !== undefined && others.length === 0 ? [`${scoreText(only)} DESC`] : []
  return items.flatMap(({ reference, descending }) =>
    sortable(reference, context, selected).map((sql) => (descending ? `${sql} DESC` : sql)),
  )
}

/**
 * What is sorted by must be selected where equal rows are told once (nxql-search.md §4).
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
