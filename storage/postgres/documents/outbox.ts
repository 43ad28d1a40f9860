import type { Principal } from '../../../core/access/security/index.js'
import type { Outbox } from '../../../core/content/stores/index.js'
import type { CoreEvent } from '../../../core/platform/events/index.js'
import type { Sql } from '../connection/index.js'

/** Rows of the outbox for some events, from one bound JSON parameter: any number of events, one statement text. */
export const outboxRows = (sql: Sql, principal: Principal, events: readonly CoreEvent[]) => sql`
  SELECT e.event, e."documentId"::uuid, ${principal.name}::text, e.payload
  FROM jsonb_to_recordset(${sql.json(events as never)}) AS e(event text, "documentId" text, payload jsonb)`

export const createOutbox = (sql: Sql, principal: Principal): Outbox => ({
  emit: async (events) => {
    await sql`INSERT INTO outbox (event, document_id, principal, payload) ${outboxRows(sql, principal, events)}`
  },
})
