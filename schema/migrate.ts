import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { CONNECTION_END } from './connection-end.js'
import { adoptRestoredTransactions } from './restored.js'

/** Any number will do, as long as every process of the product uses the same one. */
export const MIGRATION_LOCK = 7_274_501

/** Beside this file, and beside `dist/` when bundled: both are one folder below the product's. */
const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/**
 * Brings the database to this release's schema. Processes that start together wait for one another on an
 * advisory lock, and those that come later find nothing left to do.
 *
 * @param url `postgres://…` address of the database.
 */
export const migrate = async (url: string): Promise<void> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`
    await applyMigrations(drizzle(sql), { migrationsFolder: MIGRATIONS })
    await adoptRestoredTransactions(sql)
  } finally {
    await sql.end(CONNECTION_END)
  }
}
