import type { BlobReferences } from '../../../core/files/blobs/index.js'
import { auditEntries } from '../../../schema/audit.js'
import { blobStores, blobs, blobUsage } from '../../../schema/blobs.js'
import type { Database, Sql } from '../connection/index.js'
import { tableOf } from '../rows/index.js'

/** What is known of blobs, and of what has happened to them, names them without using them. */
const NO_USERS = [blobs, blobUsage, blobStores, auditEntries].map((table) => tableOf(table).toString())

const ROWS = 1_000

/** Every column that may hold a key, of whatever table: one that a release adds is read without being listed. */
const textColumns = (sql: Sql): Promise<{ table: string; column: string }[]> =>
  sql<{ table: string; column: string }[]>`
    SELECT quote_ident(c.table_name) AS table, quote_ident(c.column_name) AS column
    FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
      AND c.data_type IN ('json', 'jsonb', 'text', 'character varying', 'ARRAY')
      AND NOT c.table_name = ANY(${NO_USERS})`

const FOUND = "regexp_matches(t.%::text, '[0-9a-f]{32,64}', 'g')"

/**
 * Reads what names blobs in a database, as of one moment: documents, versions, templates, states and results of runs,
 * events, mail and whatever else. A million documents take about a minute.
 */
export const blobReferencesIn =
  ({ transaction }: Pick<Database, 'transaction'>): BlobReferences =>
  (found) =>
    transaction(async (tx) => {
      await tx`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
      await tx.unsafe('SET LOCAL statement_timeout = 0', [], { patient: true })
      for (const { table, column } of await textColumns(tx)) {
        const keys = `SELECT m[1] AS key FROM ${table} t, ${FOUND.replace('%', column)} AS m`
        const rows = tx.unsafe<{ key: string }[]>(keys, [], { patient: true })
        for await (const batch of rows.cursor(ROWS)) for (const { key } of batch) found(key)
      }
    })
