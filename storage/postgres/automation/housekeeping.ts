import type { Housekeeping, Removed } from '../../../core/automation/index.js'
import type { Database } from '../database.js'

/**
 * A receipt answers retries of its step, which come within hours, and repeated idempotency keys, which are
 * promised for as long.
 */
const RECEIPT_DAYS = 30

/** Rows of one statement: short transactions, whatever has piled up. */
const BATCH = 10_000

const cleanerOf = ({ sql }: Database): Housekeeping => {
  const drain = async (remove: () => Promise<number>): Promise<number> => {
    for (let total = 0; ; ) {
      const count = await remove()
      total += count
      if (count < BATCH) return total
    }
  }

  return {
    removeExpired: async () => ({
      transientEntries: await drain(async () => {
        const { count } = await sql`
          DELETE FROM transient_entries WHERE (key, chunk) IN (
            SELECT key, chunk FROM transient_entries WHERE expires_at < now() LIMIT ${BATCH})`
        return count
      }),
      receipts: await drain(async () => {
        const { count } = await sql`
          DELETE FROM receipts WHERE (workflow_id, step) IN (
            SELECT workflow_id, step FROM receipts
            WHERE created_at < now() - make_interval(days => ${RECEIPT_DAYS}) LIMIT ${BATCH})`
        return count
      }),
      loops: await drain(async () => {
        const { count } = await sql`
          DELETE FROM loop_progress WHERE (workflow_id, step) IN (
            SELECT workflow_id, step FROM loop_progress
            WHERE updated_at < now() - make_interval(days => ${RECEIPT_DAYS}) LIMIT ${BATCH})`
        return count
      }),
      inlineRuns: await drain(async () => {
        const { count } = await sql`
          DELETE FROM inline_runs WHERE run_id IN (
            SELECT run_id FROM inline_runs
            WHERE closed_at < now() - make_interval(days => ${RECEIPT_DAYS}) LIMIT ${BATCH})`
        return count
      }),
      bulkCommands: await drain(async () => {
        const { count } = await sql`
          DELETE FROM bulk_commands WHERE id IN (
            SELECT id FROM bulk_commands
            WHERE completed_at < now() - make_interval(days => ${RECEIPT_DAYS}) LIMIT ${BATCH})`
        return count
      }),
    }),
  }
}

const ZERO: Removed = { transientEntries: 0, receipts: 0, loops: 0, inlineRuns: 0, bulkCommands: 0 }

/** Cleans every database in which runs leave something, one after the other. */
export const createHousekeeping = (databases: readonly Database[]): Housekeeping => ({
  removeExpired: async () => {
    let total = ZERO
    for (const database of databases) {
      const removed = await cleanerOf(database).removeExpired()
      total = {
        transientEntries: total.transientEntries + removed.transientEntries,
        receipts: total.receipts + removed.receipts,
        loops: total.loops + removed.loops,
        inlineRuns: total.inlineRuns + removed.inlineRuns,
        bulkCommands: total.bulkCommands + removed.bulkCommands,
      }
    }
    return total
  },
})
