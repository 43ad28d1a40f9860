import type { Parameter } from './binder.js'
import { sortedBy } from './order-by.js'
import { type NxqlPage, type Statement, withPage } from './page.js'
import { d } from './places/names.js'

/** Results that are sorted by a text first, so that a value of it says where a page begins. */
export type Landmarked = {
  /** Of the first results, rows of `value` and `before`: one of each thousand, and how many lie before the first with it. */
  landmarks(first: number): Statement
  /** The documents from the first one that has a value. */
  rowsFrom(value: string, page: Required<NxqlPage>): Statement
  /** A row where a document has no value; undefined where those come first. */
  nulls: Statement | undefined
}

/** Results from one landmark to the next. */
const ROWS = 1_000

/** Characters of a value that is remembered. */
const LENGTH = 1_000

/**
 * @param source the statement from FROM on, up to its order.
 * @param byIds reads the documents whose ids a statement finds.
 * @returns undefined where no text comes first in the order.
 */
export const compileLandmarked = ({
  source,
  keys,
  parameters,
  byIds,
}: {
  source: string
  keys: readonly string[]
  parameters: readonly Parameter[]
  byIds: (found: Statement) => Statement
}): Landmarked | undefined => {
  const [first = ''] = keys
  const { sorted, direction } = sortedBy(first)
  if (!sorted.endsWith('COLLATE "C"')) return undefined
  const next = `$${parameters.length + 1}`
  const isAscending = direction === ''
  return {
    landmarks: (count) => ({
      text: `SELECT value, before FROM (
        SELECT value, (rank() OVER w - 1)::float8 AS before, row_number() OVER w AS place
        FROM (SELECT ${sorted} AS value ${source} ORDER BY ${first} LIMIT ${next}::bigint) AS beginning
        WINDOW w AS (ORDER BY value${direction})) AS ranked
      WHERE place % ${ROWS} = 0 AND length(value) <= ${LENGTH} ORDER BY place`,
      parameters: [...parameters, count],
    }),
    rowsFrom: (value, page) => {
      const from = `${source} AND ${sorted} ${isAscending ? '>=' : '<='} ${next}::text`
      return byIds(
        withPage(`SELECT ${d.id} ${from} ORDER BY ${keys.join(', ')}`, [...parameters, value], page),
      )
    },
    nulls: isAscending
      ? withPage(`SELECT 1 ${source} AND ${sorted} IS NULL`, parameters, { limit: 1 })
      : undefined,
  }
}
