import type { Principal } from '../../../core/access/security/index.js'
import type { Outbox } from '../../../core/content/stores/index.js'
import type { CoreEvent } from '../../../core/platform/events/index.js'
import { weightOf } from '../../../core/platform/limits/index.js'
import type { Sql } from '../connection/index.js'
import { INTO_OUTBOX, named, type Writer } from '../rows/index.js'

/** Rows of the outbox for some events, from one bound JSON parameter: any number of events, one statement text. */
export const outboxRows = (sql: Sql, principal: Principal, events: readonly CoreEvent[]) => named(sql)`
  SELECT e.event, e."documentId"::uuid, ${principal.name}::text, e.payload
  FROM jsonb_to_recordset(${sql.json(events as never)}) AS e(event text, "documentId" text, payload jsonb)`

export const createOutbox = (sql: Sql, { principal, writes }: Writer): Outbox => ({
  emit: async (events) => {
    // Reading and removing have events, too, and are not refused.
    writes?.owe(weightOf(events))
    await named(sql)`INSERT INTO ${INTO_OUTBOX} ${outboxRows(sql, principal, events)}`
  },
})
