import type { CommentStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { readable, recordColumns } from './rows.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/** Comments by what their properties contain, which the index `documents_properties` gives. */
export const createComments = (sql: Sql): CommentStore => ({
  list: async ({ principal, properties, type, isTrashed, isNewestFirst = false, limit, offset = 0 }) => {
    const matching = named(sql)`${d.properties} @> ${sql.json(properties)} AND NOT ${d.isVersion}
      AND ${d.type} = coalesce(${type ?? null}, ${d.type})
      AND ${d.isTrashed} = coalesce(${isTrashed ?? null}, ${d.isTrashed})
      AND ${principal.isAdministrator ? named(sql)`true` : readable(sql, principal.identities)}`
    const direction = isNewestFirst ? named(sql)`DESC` : named(sql)`ASC`
    const rows = await named(sql)<(DocumentRecord & { total: string | null })[]>`
      WITH found AS MATERIALIZED (
        SELECT d.* FROM ${DOCUMENTS} d
        WHERE ${matching}
      )
      SELECT (SELECT count(*) FROM found) AS total, ${recordColumns(sql)}
      FROM found d
      ORDER BY ${d.properties} ->> 'comment:creationDate' ${direction}, ${d.id}
      LIMIT ${limit ?? null} OFFSET ${offset}`
    const entries = rows.map(({ total: _, ...record }) => record as DocumentRecord)
    if (rows[0] || offset === 0) return { entries, total: Number(rows[0]?.total ?? 0) }
    const [beyond] = await named(sql)<{ total: string }[]>`
      SELECT count(*) AS total FROM ${DOCUMENTS} d
      WHERE ${matching}`
    return { entries, total: Number(beyond?.total ?? 0) }
  },
})
