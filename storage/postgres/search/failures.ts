import type { IndexFailure, IndexFeed } from '../../../core/content/stores/index.js'
import { searchFailures } from '../../../schema/search.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, foundOf, named, tableOf } from '../rows/index.js'

const FAILURES = tableOf(searchFailures)
const F = columnsOf(searchFailures)
const f = columnsOf(searchFailures, 'f')

/** Reasons of a search engine repeat the value that it refuses. */
const MAX_REASON = 1_000

export const createFeedFailures = (sql: Sql): Pick<IndexFeed, 'failures' | 'park' | 'unpark'> => ({
  failures: async ({ limit, offset }) => {
    const rows = await named(sql)<(IndexFailure & { total: number })[]>`
      SELECT ${F.documentId} AS "documentId", ${F.reason} AS reason, ${F.attempts} AS attempts,
        ${F.failedAt} AS "failedAt", (count(*) OVER ())::int AS total
      FROM ${FAILURES} ORDER BY ${F.failedAt}, ${F.documentId} LIMIT ${limit} OFFSET ${offset}`
    return foundOf(rows, async () => {
      const [row] = await named(sql)<{ count: number }[]>`SELECT count(*)::int AS count FROM ${FAILURES}`
      return row?.count ?? 0
    })
  },

  park: async (failures) => {
    if (failures.length === 0) return
    const rows = failures.map(({ id, reason }) => ({ id, reason: reason.slice(0, MAX_REASON) }))
    await named(sql)`
      INSERT INTO ${FAILURES} AS f (${F.documentId}, ${F.reason})
      SELECT r.id, r.reason FROM jsonb_to_recordset(${sql.json(rows)}) AS r(id uuid, reason text)
      ON CONFLICT (${F.documentId}) DO UPDATE
      SET ${F.reason} = EXCLUDED.reason, ${F.attempts} = ${f.attempts} + 1, ${F.failedAt} = now()`
  },

  unpark: async (ids) => {
    if (ids.length === 0) return
    await named(sql)`DELETE FROM ${FAILURES} WHERE ${F.documentId} = ANY (${sql.array([...ids])}::uuid[])`
  },
})
