import type { PgTable } from 'drizzle-orm/pg-core'
import type { Housekeeping, Removed } from '../../../core/automation/run-store/index.js'
import { auditEntries } from '../../../schema/audit.js'
import { bulkCommands } from '../../../schema/bulk.js'
import { outbox, outboxCursors } from '../../../schema/documents.js'
import {
  inlineRuns,
  loopProgress,
  openRuns,
  receipts,
  runIncidents,
  transientEntries,
} from '../../../schema/execution.js'
import { loginTries } from '../../../schema/identity.js'
import type { Database, Sql } from '../connection/index.js'
import { columnsOf, type Name, tableOf } from '../rows/index.js'

/**
 * A receipt answers retries of its step, which come within hours, and repeated idempotency keys, which are
 * promised for as long.
 */
const RECEIPT_DAYS = 30

/** Events that every reader has passed, so that an operator can look at what has happened. */
const EVENT_DAYS = 30

/** Rows of one statement: short transactions, whatever has piled up. */
const BATCH = 10_000

/** Removes the next rows of a table, by their place in it. */
const removing = (table: PgTable, expired: string): string =>
  `DELETE FROM ${tableOf(table)} WHERE ctid = ANY(ARRAY(${expired}))`

const olderThan = (table: PgTable, column: Name, days: number): string =>
  removing(
    table,
    `SELECT ctid FROM ${tableOf(table)}
    WHERE ${column} < now() - make_interval(days => ${days}) LIMIT ${BATCH}`,
  )

const OUTBOX = columnsOf(outbox)

/** The first in the order in which they are read: behind one that is too young none is looked at. */
const READ_EVENTS = `
  SELECT place FROM (
    SELECT ctid AS place, ${OUTBOX.createdAt} FROM ${tableOf(outbox)}
    WHERE ${OUTBOX.transactionId}::bigint
      < (SELECT min(${columnsOf(outboxCursors).transactionId}) FROM ${tableOf(outboxCursors)})
    ORDER BY ${OUTBOX.transactionId}::bigint, ${OUTBOX.id} LIMIT ${BATCH}) AS first
  WHERE ${OUTBOX.createdAt} < now() - make_interval(days => ${EVENT_DAYS})`

const AUDIT = columnsOf(auditEntries)

/** The first in the order in which they were written: behind one that is too young none is looked at. */
const oldEntries = (days: number): string =>
  removing(
    auditEntries,
    `SELECT place FROM (
      SELECT ctid AS place, ${AUDIT.logDate} FROM ${tableOf(auditEntries)} ORDER BY ${AUDIT.id} LIMIT ${BATCH}) AS first
    WHERE ${AUDIT.logDate} < now() - make_interval(days => ${days})`,
  )

const REMOVALS: { readonly [kind in Exclude<keyof Removed, 'auditEntries' | 'uploads' | 'routes'>]: string } =
  {
    transientEntries: olderThan(transientEntries, columnsOf(transientEntries).expiresAt, 0),
    receipts: olderThan(receipts, columnsOf(receipts).createdAt, RECEIPT_DAYS),
    loops: olderThan(loopProgress, columnsOf(loopProgress).updatedAt, RECEIPT_DAYS),
    inlineRuns: olderThan(inlineRuns, columnsOf(inlineRuns).closedAt, RECEIPT_DAYS),
    incidents: olderThan(runIncidents, columnsOf(runIncidents).at, RECEIPT_DAYS),
    bulkCommands: olderThan(bulkCommands, columnsOf(bulkCommands).completedAt, RECEIPT_DAYS),
    openRuns: olderThan(openRuns, columnsOf(openRuns).begunAt, RECEIPT_DAYS),
    loginTries: olderThan(loginTries, columnsOf(loginTries).nextAt, 1),
    events: removing(outbox, READ_EVENTS),
  }

const KINDS = Object.keys(REMOVALS) as (keyof typeof REMOVALS)[]

const drain = async (sql: Sql, removal: string): Promise<number> => {
  for (let total = 0; ; ) {
    const { count } = await sql.unsafe(removal)
    total += count
    if (count < BATCH) return total
  }
}

/**
 * Cleans every database in which runs leave something, one after the other.
 *
 * @param options `auditDays`: how long entries of the audit are kept; absent: for ever.
 */
export const createHousekeeping = (
  databases: readonly Database[],
  { auditDays }: { auditDays?: number | undefined } = {},
): Housekeeping => ({
  removeExpired: async () => {
    const removed = Object.fromEntries([...KINDS, 'auditEntries'].map((kind) => [kind, 0])) as Removed
    for (const { sql } of databases) {
      for (const kind of KINDS) removed[kind] += await drain(sql, REMOVALS[kind])
      if (auditDays !== undefined) removed.auditEntries += await drain(sql, oldEntries(auditDays))
    }
    return removed
  },
})
