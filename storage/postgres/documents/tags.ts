import type { TagStore } from '../../../core/content/stores/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { readable } from './rows.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/**
 * Labels of tags. Only tagged documents are looked at (index `documents_tagged`), and of these only the ones
 * whose ACL lets the principal see them.
 */
export const createTags = (sql: Sql): TagStore => ({
  labels: async ({ prefix, principal, limit }) => {
    const { isAdministrator, identities } = principal
    const rows = await named(sql)<{ label: string }[]>`
      SELECT DISTINCT (tag ->> 'label') COLLATE "C" AS label
      FROM ${DOCUMENTS} d, jsonb_array_elements(${d.properties} -> 'nxtag:tags') AS tag
      WHERE ${d.properties} ? 'nxtag:tags' AND NOT ${d.isTrashed}
        AND starts_with(tag ->> 'label', ${prefix})
        AND (${isAdministrator} OR ${readable(sql, identities)})
      ORDER BY label LIMIT ${limit}`
    return rows.map(({ label }) => label)
  },
})
