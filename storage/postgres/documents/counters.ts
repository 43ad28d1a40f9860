import type { CounterStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'
import { recordColumns } from './rows.js'

/** Counting: the row as it is when the statement gets hold of it is added to, so nothing that others add is lost. */
export const createCounters = (sql: Sql): CounterStore => ({
  increment: async (id, increments) => {
    const counted = increments.reduce(
      (properties, { path, by }) =>
        sql`increment_property(${properties}, ${sql.array(path.map(String))}::text[], ${String(by)}::text::numeric)`,
      sql`properties`,
    )
    const [row] = await sql<DocumentRecord[]>`
      WITH d AS (
        UPDATE documents SET properties = ${counted}, system_token = system_token + 1
        WHERE id = ${id} AND ${counted} IS NOT NULL
        RETURNING *
      )
      SELECT ${recordColumns(sql)} FROM d`
    return row
  },
})
