import type { Sequences } from '../../../core/automation/run-store/index.js'
import { sequences } from '../../../schema/execution.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const SEQUENCES = tableOf(sequences)
const { key: KEY, last: LAST } = columnsOf(sequences)

/** Numbers by key. The row is held until the transaction ends, so that one that fails leaves no gap. */
export const createSequences = (sql: Sql): Sequences => ({
  next: async (key) => {
    const [row] = await named(sql)<{ last: number }[]>`
      INSERT INTO ${SEQUENCES} AS s (${KEY}, ${LAST}) VALUES (${key}, 1)
      ON CONFLICT (${KEY}) DO UPDATE SET ${LAST} = s.${LAST} + 1
      RETURNING ${LAST}::float8 AS last`
    return row!.last
  },
})
