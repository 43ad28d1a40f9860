import { sql } from 'drizzle-orm'
import { smallint } from 'drizzle-orm/pg-core'

/** Setting of a transaction: how many runs, each started by an event of the one before, lead to what it does. */
export const EVENT_DEPTH = 'archivolt.event_depth'

/** How deep in such a row of runs something happened; 0: no event has caused it. */
export const eventDepth = (column: string) =>
  smallint(column)
    .notNull()
    .default(sql.raw(`coalesce(nullif(current_setting('${EVENT_DEPTH}', true), ''), '0')::smallint`))
