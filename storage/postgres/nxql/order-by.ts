import {
  type OrderItem,
  type Reference,
  type SortKey,
  scoredSearch,
  sortKeyOf,
} from '../../../core/model/nxql/index.js'
import { scoreText } from './conditions/fulltext.js'
import { comparable } from './conditions/scalar-tests.js'
import { TITLE, TITLE_BEGINNING } from './conditions/title.js'
import type { Context } from './context.js'
import { d } from './places/names.js'
import { placeSql } from './places/place.js'

/** The score of `ecm:fulltextScore`. @throws badRequest for a query without exactly one search. */
export const compileScore = (reference: Reference, { searched }: Context): string =>
  scoreText(scoredSearch(reference, searched))

/** What a key sorts by; beginnings of titles come first, as the index has them. */
const sortable = (key: SortKey, context: Context): string[] => {
  if (key.kind === 'path') return [d.path]
  if (key.kind === 'score') return [compileScore(key.reference, context)]
  const { scalar } = placeSql(key.place, context)
  // An id sorts as its text does, and by an index.
  if (scalar.kind === 'uuid') return [scalar.sql]
  const { sql } = comparable(scalar)
  return scalar.sql === TITLE ? [TITLE_BEGINNING, sql] : [sql]
}

const DESCENDING = ' DESC'

/** What one item of an order sorts by, and its direction as it stands behind that. */
export const sortedBy = (item: string): { sorted: string; direction: '' | typeof DESCENDING } =>
  item.endsWith(DESCENDING)
    ? { sorted: item.slice(0, -DESCENDING.length), direction: DESCENDING }
    : { sorted: item, direction: '' }

/** The opposite order, nulls included. */
export const reversed = (order: readonly string[]): string[] =>
  order.map((item) => {
    const { sorted, direction } = sortedBy(item)
    return direction === '' ? `${sorted}${DESCENDING}` : sorted
  })

/**
 * What a query sorts by. Without an ORDER BY the one search decides, if there is just one (§3). Nulls stand
 * where Postgres puts them.
 *
 * @param selected the numbered wildcards of whose elements the rows are made.
 */
export const compileOrderBy = (
  items: readonly OrderItem[],
  context: Context,
  selected: readonly string[] = [],
): string[] => {
  const [only, ...others] = context.searched
  if (items.length === 0)
    return only !== undefined && others.length === 0 ? [`${scoreText(only)}${DESCENDING}`] : []
  return items.flatMap(({ reference, descending }) =>
    sortable(sortKeyOf(reference, context.model, selected), context).map((sql) =>
      descending ? `${sql}${DESCENDING}` : sql,
    ),
  )
}
