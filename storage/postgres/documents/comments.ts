import type { CommentStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { ACL_IN_FORCE, columnsOf, named, RECORD_FIELDS, readRows, tableOf } from '../rows/index.js'
import { readable } from './rows.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/** A record with what it is as a comment: whatever else its author has written on it is not for those who read the list. */
const COMMENT_COLUMNS = [
  ...RECORD_FIELDS.map((field) =>
    field === 'properties'
      ? `(SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(${d.properties})
          WHERE split_part(key, ':', 1) IN ('comment', 'annotation', 'external')) AS properties`
      : `${d[field]} AS "${field}"`,
  ),
  `${ACL_IN_FORCE} AS "aclId"`,
].join(', ')

/** Comments by what their properties contain, which the index `documents_properties` gives. */
export const createComments = (sql: Sql): CommentStore => ({
  list: async ({ principal, properties, type, isTrashed, isNewestFirst = false, limit, offset = 0 }) => {
    const matching = named(sql)`${d.properties} @> ${sql.json(properties)} AND NOT ${d.isVersion}
      AND ${d.type} = coalesce(${type ?? null}, ${d.type})
      AND ${d.isTrashed} = coalesce(${isTrashed ?? null}, ${d.isTrashed})
      AND ${principal.isAdministrator ? named(sql)`true` : readable(sql, principal.identities)}`
    const direction = isNewestFirst ? named(sql)`DESC` : named(sql)`ASC`
    const found = named(sql)<(DocumentRecord & { total: string | null })[]>`
      WITH found AS MATERIALIZED (
        SELECT d.* FROM ${DOCUMENTS} d
        WHERE ${matching}
      )
      SELECT (SELECT count(*) FROM found) AS total, ${sql.unsafe(COMMENT_COLUMNS)}
      FROM found d
      ORDER BY ${d.properties} ->> 'comment:creationDate' ${direction}, ${d.id}
      LIMIT ${limit ?? null} OFFSET ${offset}`
    const rows = await readRows(found, { atMost: limit ?? Number.POSITIVE_INFINITY, owner: principal })
    const entries = rows.map(({ total: _, ...record }) => record as DocumentRecord)
    if (rows[0] || offset === 0) return { entries, total: Number(rows[0]?.total ?? 0) }
    const [beyond] = await named(sql)<{ total: string }[]>`
      SELECT count(*) AS total FROM ${DOCUMENTS} d
      WHERE ${matching}`
    return { entries, total: Number(beyond?.total ?? 0) }
  },
})
