import type { Sql } from 'postgres'

/** The lowest id of an ordinary transaction: every server has given it. */
const FIRST_TRANSACTION = 3

/**
 * Events are read in the order of Postgres' transaction ids, which a server counts for itself. A database that was
 * restored into another server may hold ids which that one has not given yet: readers would wait for them, and skip
 * what happens meanwhile. Here such ids become the lowest possible ones, grouped by the positions of the readers, so
 * that each reader goes on with the event after its last one.
 *
 * @param sql one connection; the caller holds the lock of migrations.
 */
export const adoptRestoredTransactions = async (sql: Sql): Promise<void> => {
  await sql.begin(async (tx) => {
    const [found] = await tx<{ isForeign: boolean }[]>`
      SELECT greatest(
        (SELECT max(transaction_id::bigint) FROM outbox),
        (SELECT max(transaction_id) FROM outbox_cursors)
      ) > pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS "isForeign"`
    if (!found?.isForeign) return
    await tx`LOCK TABLE outbox, outbox_cursors, change_marks IN SHARE ROW EXCLUSIVE MODE`
    await tx`
      CREATE TEMPORARY TABLE reader_positions ON COMMIT DROP AS
      SELECT name, transaction_id, event_id,
        ${FIRST_TRANSACTION} + dense_rank() OVER (ORDER BY transaction_id, event_id) AS place
      FROM outbox_cursors`
    await tx`
      UPDATE outbox SET transaction_id = (
        SELECT coalesce(max(p.place), ${FIRST_TRANSACTION}) FROM reader_positions p
        WHERE (p.transaction_id, p.event_id) < (outbox.transaction_id::bigint, outbox.id)
      )::text`
    await tx`
      UPDATE outbox_cursors c SET transaction_id = p.place, event_id = 0
      FROM reader_positions p WHERE p.name = c.name`
    // What is indexed has the numbers of that server, too: it is indexed again.
    await tx`DELETE FROM search_indexes`
    // Compared with the current transaction, which may have any of the old ids.
    await tx`UPDATE change_marks SET transaction_id = '0'`
  })
}
