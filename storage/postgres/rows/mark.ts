import type { Name } from './names.js'

/** A column with an instant as text that sorts like it, to the microsecond, whatever the session's time zone. */
export const markOf = (column: Name | string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
