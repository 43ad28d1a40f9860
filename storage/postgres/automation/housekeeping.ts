import type { Housekeeping, Removed } from '../../../core/automation/run-store/index.js'
import type { Database, Sql } from '../connection/index.js'

/**
 * A receipt answers retries of its step, which come within hours, and repeated idempotency keys, which are
 * promised for as long.
 */
const RECEIPT_DAYS = 30

/** Events that every reader has passed, so that an operator can look at what has happened. */
const EVENT_DAYS = 30

/** Rows of one statement: short transactions, whatever has piled up. */
const BATCH = 10_000

/** The next rows of a table to remove, by their place in it. */
type Expired = { table: string; rows(sql: Sql): ReturnType<Sql> }

const olderThan = (table: string, column: string, days: number): Expired => ({
  table,
  rows: (sql) => sql`
    SELECT ctid FROM ${sql(table)}
    WHERE ${sql(column)} < now() - make_interval(days => ${days}) LIMIT ${BATCH}`,
})

const EXPIRED: { readonly [kind in keyof Removed]: Expired } = {
  transientEntries: olderThan('transient_entries', 'expires_at', 0),
  receipts: olderThan('receipts', 'created_at', RECEIPT_DAYS),
  loops: olderThan('loop_progress', 'updated_at', RECEIPT_DAYS),
  inlineRuns: olderThan('inline_runs', 'closed_at', RECEIPT_DAYS),
  incidents: olderThan('run_incidents', 'at', RECEIPT_DAYS),
  bulkCommands: olderThan('bulk_commands', 'completed_at', RECEIPT_DAYS),
  events: {
    table: 'outbox',
    // The first in the order in which they are read: behind one that is too young none is looked at.
    rows: (sql) => sql`
      SELECT place FROM (
        SELECT ctid AS place, created_at FROM outbox
        WHERE transaction_id::bigint < (SELECT min(transaction_id) FROM outbox_cursors)
        ORDER BY transaction_id::bigint, id LIMIT ${BATCH}) AS first
      WHERE created_at < now() - make_interval(days => ${EVENT_DAYS})`,
  },
}

const KINDS = Object.keys(EXPIRED) as (keyof Removed)[]

const drain = async (sql: Sql, { table, rows }: Expired): Promise<number> => {
  for (let total = 0; ; ) {
    const { count } = await sql`DELETE FROM ${sql(table)} WHERE ctid = ANY(ARRAY(${rows(sql)}))`
    total += count
    if (count < BATCH) return total
  }
}

/** Cleans every database in which runs leave something, one after the other. */
export const createHousekeeping = (databases: readonly Database[]): Housekeeping => ({
  removeExpired: async () => {
    const removed = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Removed
    for (const { sql } of databases)
      for (const kind of KINDS) removed[kind] += await drain(sql, EXPIRED[kind])
    return removed
  },
})
