/** SQL for the column `created_at` as text that sorts like it, to the microsecond, whatever the session's time zone. */
export const MARK_OF_CREATION = `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
