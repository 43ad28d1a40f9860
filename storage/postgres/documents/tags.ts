import type { DocumentStore } from '../../../core/documents/index.js'
import type { Sql } from '../database.js'

/**
 * Labels of tags. Only tagged documents are looked at (index `documents_tagged`), and of these only the ones
 * whose ACL lets the principal see them.
 */
export const createTags = (sql: Sql): Pick<DocumentStore, 'tagLabels'> => ({
  tagLabels: async ({ prefix, principal, limit }) => {
    const { isAdministrator, identities } = principal
    const rows = await sql<{ label: string }[]>`
      SELECT DISTINCT (tag ->> 'label') COLLATE "C" AS label
      FROM documents d, jsonb_array_elements(d.properties -> 'nxtag:tags') AS tag
      WHERE d.properties ? 'nxtag:tags' AND NOT d.is_trashed
        AND starts_with(tag ->> 'label', ${prefix})
        AND (${isAdministrator} OR d.acl_id IN (
          SELECT a.id FROM acls a
          WHERE (a.is_plain AND a.browsers && ${sql.array([...identities])}::text[])
             OR (NOT a.is_plain AND archivolt_may_browse(a.entries, ${sql.array([...identities])}::text[]))))
      ORDER BY label LIMIT ${limit}`
    return rows.map(({ label }) => label)
  },
})
