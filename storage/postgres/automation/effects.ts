import { type EffectEvent, type Effects, MAX_EFFECTS } from '../../../core/automation/run-store/index.js'
import type { Sql } from '../connection/index.js'

type Counted<Row> = Row & { count: number }

/** The events and mails that the current transaction has written. */
export const readEffects = async (sql: Sql): Promise<Effects> => {
  const events = await sql<Counted<EffectEvent>[]>`
    SELECT o.event, o.document_id AS "documentId", d.path, d.type, count(*) OVER ()::float8 AS count
    FROM outbox o LEFT JOIN documents d ON d.id = o.document_id
    WHERE o.transaction_id::bigint = pg_current_xact_id()::text::bigint
    ORDER BY o.id LIMIT ${MAX_EFFECTS}`
  // What waits for its first attempt is due since the beginning of its transaction.
  const mails = await sql<Counted<{ message: { to: string[]; subject: string } }>[]>`
    SELECT message, count(*) OVER ()::float8 AS count
    FROM mails WHERE state = 'waiting' AND next_attempt_at = now() AND created_at = now()
    ORDER BY id LIMIT ${MAX_EFFECTS}`
  return {
    events: events.map(({ count: _, ...event }) => event),
    eventCount: events[0]?.count ?? 0,
    mails: mails.map(({ message: { to, subject } }) => ({ to, subject })),
    mailCount: mails[0]?.count ?? 0,
  }
}
