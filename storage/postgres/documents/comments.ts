import type { CommentStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'
import { readable, recordColumns } from './rows.js'

/** Comments by what their properties contain, which the index `documents_properties` gives. */
export const createComments = (sql: Sql): CommentStore => ({
  list: async ({ principal, properties, type, isTrashed, isNewestFirst = false, limit, offset = 0 }) => {
    const matching = sql`d.properties @> ${sql.json(properties)} AND NOT d.is_version
      AND d.type = coalesce(${type ?? null}, d.type)
      AND d.is_trashed = coalesce(${isTrashed ?? null}, d.is_trashed)
      AND ${principal.isAdministrator ? sql`true` : readable(sql, principal.identities)}`
    const direction = isNewestFirst ? sql`DESC` : sql`ASC`
    const rows = await sql<(DocumentRecord & { total: string | null })[]>`
      WITH found AS MATERIALIZED (
        SELECT d.* FROM documents d
        WHERE ${matching}
      )
      SELECT (SELECT count(*) FROM found) AS total, ${recordColumns(sql)}
      FROM found d
      ORDER BY d.properties ->> 'comment:creationDate' ${direction}, d.id
      LIMIT ${limit ?? null} OFFSET ${offset}`
    const entries = rows.map(({ total: _, ...record }) => record as DocumentRecord)
    if (rows[0] || offset === 0) return { entries, total: Number(rows[0]?.total ?? 0) }
    const [beyond] = await sql<{ total: string }[]>`
      SELECT count(*) AS total FROM documents d
      WHERE ${matching}`
    return { entries, total: Number(beyond?.total ?? 0) }
  },
})
