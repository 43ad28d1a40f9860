import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * Whether a column has one of some texts. They are one parameter, however many there are: the query builder's `inArray`
 * makes one of each, and recurses into them.
 */
export const anyOf = (column: SQLWrapper, values: readonly string[]): SQL =>
  sql`${column} = ANY(${sql.param([...values])}::text[])`
