import type { OutboxRelay, OutboxRelayOptions, RelayedEvent } from '../../../core/content/stores/index.js'
import { outbox, outboxCursors } from '../../../schema/documents.js'
import type { Database, Sql } from '../connection/index.js'
import { columnsOf, markOf, named, tableOf } from '../rows/index.js'

const [OUTBOX, CURSORS] = [tableOf(outbox), tableOf(outboxCursors)]
const o = columnsOf(outbox, 'o')
const CURSOR = columnsOf(outboxCursors)

/** An event as it is read. */
const COLUMNS = `${o.id}::float8 AS id, ${o.event} AS event, ${o.documentId} AS "documentId",
  ${o.principal} AS principal, ${o.payload} AS payload, ${o.depth} AS depth,
  ${o.createdAt} AS "createdAt", ${markOf(o.createdAt)} AS mark, ${o.transactionId}::bigint::float8 AS transaction`

const eventOf = (row: RelayedEvent): RelayedEvent => ({ ...row, createdAt: new Date(row.createdAt) })

/** Events of one transaction that are read at most. */
const MAX_EVENTS = 10_000

/** The events of a committed transaction, in order: the first `MAX_EVENTS`. */
export const eventsOfTransaction = async (sql: Sql, transaction: number): Promise<RelayedEvent[]> => {
  const rows = await named(sql)<RelayedEvent[]>`
    SELECT ${sql.unsafe(COLUMNS)} FROM ${OUTBOX} o
    WHERE ${o.transactionId}::bigint = ${transaction} ORDER BY ${o.id} LIMIT ${MAX_EVENTS}`
  return rows.map(eventOf)
}

/** A place in the outbox: behind an event of a transaction. */
export type OutboxPlace = { transaction: number; id: number }

/** The place behind everything that has been read, or can be: what commits later comes behind it. */
export const outboxEnd = async (sql: Sql): Promise<OutboxPlace> => {
  const [row] = await sql<{ transaction: number }[]>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint::float8 AS transaction`
  return { transaction: row?.transaction ?? 0, id: 0 }
}

/** The same with type and path of the document alone: what else there is may be large. */
const BRIEF_COLUMNS = COLUMNS.replace(
  `${o.payload} AS payload`,
  `jsonb_build_object('type', ${o.payload} -> 'type', 'path', ${o.payload} -> 'path') AS payload`,
)

/** Events behind a place, in the order of commits; of their payloads type and path of the document. */
export const eventsAfter = async (
  sql: Sql,
  { transaction, id }: OutboxPlace,
  limit: number,
): Promise<RelayedEvent[]> => {
  const rows = await named(sql)<RelayedEvent[]>`
    SELECT ${sql.unsafe(BRIEF_COLUMNS)} FROM ${OUTBOX} o
    WHERE (${o.transactionId}::bigint, ${o.id}) > (${transaction}, ${id})
      AND ${o.transactionId}::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    ORDER BY ${o.transactionId}::bigint, ${o.id} LIMIT ${limit}`
  return rows.map(eventOf)
}

/** Some events by their ids, whole, in the order of commits. */
export const eventsById = async (sql: Sql, ids: readonly number[]): Promise<RelayedEvent[]> => {
  const rows = await named(sql)<RelayedEvent[]>`
    SELECT ${sql.unsafe(COLUMNS)} FROM ${OUTBOX} o WHERE ${o.id} = ANY (${sql.array([...ids])}::bigint[])
    ORDER BY ${o.transactionId}::bigint, ${o.id}`
  return rows.map(eventOf)
}

/** A process that hangs while it reads keeps all others from it for so long. */
const IDLE_SECONDS = 10

/** Characters of the payloads of one page: how many events there are says nothing about how large they are. */
const MAX_CHARACTERS = 16 * 1024 * 1024

/**
 * Ids are given before a transaction commits, so that a lower one may appear after a higher one. So events are read by
 * transaction, and only of those before the oldest that is still running, behind which nothing can appear any more.
 *
 * @param name of the cursor.
 */
export const createOutboxRelay = (
  { transaction }: Pick<Database, 'transaction'>,
  name: string,
  { idleSeconds = IDLE_SECONDS, isComplete = false }: OutboxRelayOptions = {},
): OutboxRelay<Sql> => {
  /** Where the cursor is, which nobody else moves until the transaction ends; undefined when somebody else holds it. */
  const locked = async (tx: Sql): Promise<OutboxPlace | undefined> => {
    await tx`SELECT set_config('idle_in_transaction_session_timeout', ${`${idleSeconds}s`}, true)`
    await named(tx)`
      INSERT INTO ${CURSORS} (${CURSOR.name}, ${CURSOR.transactionId}, ${CURSOR.eventId})
      VALUES (${name}, CASE WHEN ${isComplete} THEN 0 ELSE pg_snapshot_xmin(pg_current_snapshot())::text::bigint END, 0)
      ON CONFLICT DO NOTHING`
    const [place] = await named(tx)<OutboxPlace[]>`
      SELECT ${CURSOR.transactionId}::float8 AS transaction, ${CURSOR.eventId}::float8 AS id FROM ${CURSORS}
      WHERE ${CURSOR.name} = ${name} FOR UPDATE SKIP LOCKED`
    return place
  }

  return {
    next: (limit, work) =>
      transaction(async (tx) => {
        const place = await locked(tx)
        if (!place) return 0
        const rows = await named(tx)<RelayedEvent[]>`
          WITH page AS (
            SELECT ${tx.unsafe(COLUMNS)}
            FROM ${OUTBOX} o
            WHERE (${o.transactionId}::bigint, ${o.id}) > (${place.transaction}::bigint, ${place.id}::bigint)
              AND ${o.transactionId}::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
            ORDER BY ${o.transactionId}::bigint, ${o.id} LIMIT ${limit}),
          measured AS (
            SELECT *, octet_length(payload::text) AS size, sum(octet_length(payload::text)) OVER (ORDER BY transaction, id) AS sum
            FROM page)
          SELECT id, event, "documentId", principal, payload, depth, "createdAt", mark, transaction
          FROM measured WHERE sum - size < ${MAX_CHARACTERS} ORDER BY transaction, id`
        if (rows.length === 0) return 0
        const done = await work(rows.map(eventOf), tx)
        const last = rows[done - 1]
        if (!last) return rows.length
        await named(tx)`
          UPDATE ${CURSORS} SET ${CURSOR.transactionId} = ${last.transaction}, ${CURSOR.eventId} = ${last.id}
          WHERE ${CURSOR.name} = ${name}`
        return rows.length
      }),

    skip: (hasNoSubscribers) =>
      transaction(async (tx) => {
        if (!(await locked(tx))) return
        const [horizon] = await tx<{ transaction: number }[]>`
          SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint::float8 AS transaction`
        if (!horizon || !(await hasNoSubscribers())) return
        await named(tx)`
          UPDATE ${CURSORS} SET ${CURSOR.transactionId} = ${horizon.transaction}, ${CURSOR.eventId} = 0
          WHERE ${CURSOR.name} = ${name} AND ${CURSOR.transactionId} < ${horizon.transaction}`
      }),
  }
}
