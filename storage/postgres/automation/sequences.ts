import type { Sequences } from '../../../core/automation/run-store/index.js'
import type { Sql } from '../connection/index.js'

/** Numbers by key. The row is held until the transaction ends, so that one that fails leaves no gap. */
export const createSequences = (sql: Sql): Sequences => ({
  next: async (key) => {
    const [row] = await sql<{ last: number }[]>`
      INSERT INTO sequences AS s (key, last) VALUES (${key}, 1)
      ON CONFLICT (key) DO UPDATE SET last = s.last + 1
      RETURNING last::float8 AS last`
    return row!.last
  },
})
