import { sql } from 'drizzle-orm'
import type { PgSelect } from 'drizzle-orm/pg-core'

/** All rows of a search, counted beside each of its page. */
export const TOTAL = sql<number>`(count(*) over ())::int`

/** A query with one page of its rows. */
export const paged = <Query extends PgSelect>(
  query: Query,
  { limit, offset = 0 }: { limit?: number | undefined; offset?: number | undefined },
): Query => {
  const begun = query.offset(offset)
  return (limit === undefined ? begun : begun.limit(limit)) as Query
}

/** A page with its total; a page behind the last one has no row to carry it. */
export const foundOf = async <Row extends { total: number }>(
  rows: readonly Row[],
  count: () => PromiseLike<number>,
): Promise<{ entries: Omit<Row, 'total'>[]; total: number }> => {
  const total = rows[0]?.total ?? (await count())
  return { entries: rows.map(({ total: _total, ...entity }) => entity), total }
}
