import type { Directory } from '../../../core/content/directories/index.js'
import type { Sql } from '../connection/index.js'

/** Notified of every directory that is written, by its name, when the change is committed. */
export const DIRECTORY_CHANNEL = 'archivolt_directories'

/** Notifies every process that what it remembers of a directory is out of date, once this transaction commits. */
export const announceDirectory = async (sql: Sql, { name }: Directory): Promise<void> => {
  await sql`SELECT pg_notify(${DIRECTORY_CHANNEL}, ${name})`
}
