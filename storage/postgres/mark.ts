import type { Sql } from './database.js'

/** A moment as text that sorts like it, to the microsecond, whatever the session's time zone. */
export const markOf = (sql: Sql, column: string) =>
  sql`to_char(${sql(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
