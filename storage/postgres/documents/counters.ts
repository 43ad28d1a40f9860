import type { CounterStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { WriteAccount } from '../../../core/platform/limits/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { countingChange } from './counting.js'
import { recordColumns } from './rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)

/** Counting: the row as it is when the statement gets hold of it is added to, so nothing that others add is lost. */
export const createCounters = (sql: Sql, writes?: WriteAccount): CounterStore => ({
  increment: async (id, increments) => {
    const counted = increments.reduce(
      (properties, { path, by }) =>
        named(
          sql,
        )`increment_property(${properties}, ${sql.array(path.map(String))}::text[], ${String(by)}::text::numeric)`,
      named(sql)`properties`,
    )
    return countingChange(sql, { writes }, async () => {
      const [row] = await named(sql)<DocumentRecord[]>`
      WITH d AS (
        UPDATE ${DOCUMENTS} SET ${DOCUMENT.properties} = ${counted}, ${DOCUMENT.systemToken} = ${DOCUMENT.systemToken} + 1
        WHERE ${DOCUMENT.id} = ${id} AND ${counted} IS NOT NULL
        RETURNING *
      )
      SELECT ${recordColumns(sql)} FROM d`
      return row
    })
  },
})
