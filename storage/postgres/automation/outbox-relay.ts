import type { CoreEvent } from '../../../core/platform/events/index.js'
import { outbox } from '../../../schema/documents.js'
import type { Database, Sql } from '../connection/index.js'
import { columnsOf, markOf } from '../rows/index.js'

/**
 * An event as it was written; its id is unique in its database.
 *
 * @property createdAt when its transaction began; `mark` the same, to compare with the marks of contributions.
 * @property depth how many runs, each started by an event of the one before, have led to it.
 */
export type RelayedEvent = CoreEvent & {
  id: number
  principal: string
  createdAt: Date
  mark: string
  depth: number
}

/**
 * Reads the outbox of one database in order, each event once for each name of a cursor. Ids are given before a
 * transaction commits, so that a lower one may appear after a higher one: events are read by transaction, and only
 * of those before the oldest that is still running, behind which nothing can appear any more.
 */
export type OutboxRelay = {
  /**
   * Gives the next events to work, and moves on when it has succeeded. One process at a time does so.
   *
   * @returns how many there were; 0 too when another process is at it.
   */
  next(limit: number, work: (events: readonly RelayedEvent[]) => Promise<void>): Promise<number>
  /**
   * Passes over everything that has happened before `isUnheard` is asked, when that says that nobody is to be told of
   * any of it.
   */
  skip(isUnheard: () => Promise<boolean>): Promise<void>
}

const MARK = markOf(columnsOf(outbox, 'o').createdAt)

type Row = RelayedEvent & { transaction: number }

/** @param name of the cursor. One that is new begins with what happens from now on. */
export const createOutboxRelay = (
  { transaction }: Pick<Database, 'transaction'>,
  name: string,
): OutboxRelay => {
  const locked = async (tx: Sql): Promise<boolean> => {
    await tx`
      INSERT INTO outbox_cursors (name, transaction_id, event_id)
      VALUES (${name}, pg_snapshot_xmin(pg_current_snapshot())::text::bigint, 0) ON CONFLICT DO NOTHING`
    const rows = await tx`SELECT FROM outbox_cursors WHERE name = ${name} FOR UPDATE SKIP LOCKED`
    return rows.length === 1
  }

  return {
    next: (limit, work) =>
      transaction(async (tx) => {
        if (!(await locked(tx))) return 0
        const rows = await tx<Row[]>`
          SELECT o.id::float8 AS id, o.event, o.document_id AS "documentId", o.principal, o.payload, o.depth,
            o.created_at AS "createdAt", ${tx.unsafe(MARK)} AS mark, o.transaction_id::bigint::float8 AS transaction
          FROM outbox o, outbox_cursors c
          WHERE c.name = ${name}
            AND (o.transaction_id::bigint, o.id) > (c.transaction_id, c.event_id)
            AND o.transaction_id::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
          ORDER BY o.transaction_id::bigint, o.id LIMIT ${limit}`
        const last = rows.at(-1)
        if (!last) return 0
        await work(rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) })))
        await tx`
          UPDATE outbox_cursors SET transaction_id = ${last.transaction}, event_id = ${last.id} WHERE name = ${name}`
        return rows.length
      }),

    skip: (isUnheard) =>
      transaction(async (tx) => {
        if (!(await locked(tx))) return
        const [horizon] = await tx<{ transaction: number }[]>`
          SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint::float8 AS transaction`
        if (!horizon || !(await isUnheard())) return
        await tx`
          UPDATE outbox_cursors SET transaction_id = ${horizon.transaction}, event_id = 0
          WHERE name = ${name} AND transaction_id < ${horizon.transaction}`
      }),
  }
}
