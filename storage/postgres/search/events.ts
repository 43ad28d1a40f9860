import type { IndexEvent, IndexFeed } from '../../../core/content/stores/index.js'
import { auditEntries } from '../../../schema/audit.js'
import { outbox, outboxCursors } from '../../../schema/documents.js'
import { AUDIT_CURSOR } from '../audit/index.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { cursorOf, heldPrefix } from './cursor.js'

const OUTBOX = tableOf(outbox)
const CURSORS = tableOf(outboxCursors)
const ENTRIES = tableOf(auditEntries)
const E = columnsOf(auditEntries)
const C = columnsOf(outboxCursors)
const c = columnsOf(outboxCursors, 'c')
const h = columnsOf(outboxCursors, 'h')
const o = columnsOf(outbox, 'o')

type Row = Omit<IndexEvent, 'position'> & IndexEvent['position']

/**
 * The outbox for an index. Unlike `createOutboxRelay` it holds no transaction while events are worked on, which may
 * take as long as a search engine does: doing an event again changes nothing.
 */
export const createFeedEvents = (
  sql: Sql,
): Pick<IndexFeed, 'events' | 'advance' | 'isPast' | 'audited' | 'mark' | 'version'> => ({
  // Looked up as values, the place is found in the index; joined with it, all events before it would be read.
  events: async (name, limit) => {
    const rows = await named(sql)<Row[]>`
      WITH place AS MATERIALIZED (
        SELECT ${c.transactionId} AS transaction, ${c.eventId} AS event FROM ${CURSORS} c WHERE ${c.name} = ${cursorOf(name)})
      SELECT ${o.event} AS event, ${o.documentId} AS "documentId", jsonb_build_object('version', ${o.payload} -> 'version') AS payload,
        ${o.transactionId}::bigint::float8 AS transaction, ${o.id}::float8 AS id
      FROM ${OUTBOX} o
      WHERE (${o.transactionId}::bigint, ${o.id}) > ((SELECT transaction FROM place), (SELECT event FROM place))
        AND ${o.transactionId}::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      ORDER BY ${o.transactionId}::bigint, ${o.id} LIMIT ${limit}`
    return rows.map(({ transaction, id, ...event }) => ({ ...event, position: { transaction, id } }))
  },

  // Another process may have gone further meanwhile.
  advance: async (name, { transaction, id }) => {
    await named(sql)`
      UPDATE ${CURSORS} SET ${C.transactionId} = ${transaction}, ${C.eventId} = ${id}
      WHERE ${C.name} = ${cursorOf(name)} AND (${C.transactionId}, ${C.eventId}) < (${transaction}::bigint, ${id}::bigint)`
  },

  isPast: async (name, { transaction, id }) => {
    const { count } = await named(sql)`
      SELECT FROM ${CURSORS} c
      WHERE ${c.name} = ${cursorOf(name)} AND (${c.transactionId}, ${c.eventId}) >= (${transaction}::bigint, ${id}::bigint)
        AND NOT EXISTS (
          SELECT FROM ${CURSORS} h WHERE starts_with(${h.name}, ${heldPrefix(name)})
            AND (${h.transactionId}, ${h.eventId}) < (${transaction}::bigint, ${id}::bigint))`
    return count > 0
  },

  // Its entries are committed together with its cursor.
  audited: async ({ transaction, id }) => {
    const [row] = await named(sql)<{ newest: number }[]>`
      SELECT coalesce((SELECT max(${E.id}) FROM ${ENTRIES}), 0)::float8 AS newest FROM ${CURSORS}
      WHERE ${C.name} = ${AUDIT_CURSOR} AND (${C.transactionId}, ${C.eventId}) >= (${transaction}::bigint, ${id}::bigint)`
    return row?.newest
  },

  mark: async () => {
    const [row] = await named(sql)<IndexEvent['position'][]>`
      SELECT ${o.transactionId}::bigint::float8 AS transaction, ${o.id}::float8 AS id FROM ${OUTBOX} o
      ORDER BY ${o.transactionId}::bigint DESC, ${o.id} DESC LIMIT 1`
    return row ?? { transaction: 0, id: 0 }
  },

  version: async () => {
    const [row] = await sql<{ version: number }[]>`SELECT pg_current_xact_id()::text::float8 AS version`
    return row!.version
  },
})
