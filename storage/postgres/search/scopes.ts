import type { BrowsedScopes, IndexFeed } from '../../../core/content/stores/index.js'
import { aclScopes, acls } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const SCOPES = tableOf(aclScopes)
const ACLS = tableOf(acls)
const a = columnsOf(acls, 'a')
const s = columnsOf(aclScopes, 's')

/**
 * The scopes that somebody may browse at this moment. An index knows of each document the scope that its path is in, so
 * that what is left to be pointed to another one in the database (docs/security.md) makes no difference here.
 */
export const createScopeLookup = (sql: Sql): Pick<IndexFeed, 'scopesOf'> => ({
  scopesOf: async ({ identities }) => {
    const names = sql.array([...identities])
    const [row] = await named(sql)<BrowsedScopes[]>`
      WITH granting AS MATERIALIZED (
        SELECT ${a.id} AS id, true AS documents,
          CASE WHEN ${a.readsVersions} THEN archivolt_may_browse_version(${a.entries}, ${names}::text[]) ELSE true END AS versions
        FROM ${ACLS} a
        WHERE CASE WHEN ${a.isPlain} THEN ${a.browsers} && ${names}::text[]
                   ELSE archivolt_may_browse(${a.entries}, ${names}::text[]) END
        UNION ALL
        SELECT ${a.id}, false, true FROM ${ACLS} a
        WHERE ${a.readsVersions} AND archivolt_may_browse_version(${a.entries}, ${names}::text[])
          AND NOT CASE WHEN ${a.isPlain} THEN ${a.browsers} && ${names}::text[]
                       ELSE archivolt_may_browse(${a.entries}, ${names}::text[]) END
      )
      SELECT coalesce(array_agg(${s.id}) FILTER (WHERE g.documents), '{}') AS documents,
        coalesce(array_agg(${s.id}) FILTER (WHERE g.versions), '{}') AS versions
      FROM granting g JOIN ${SCOPES} s ON ${s.aclId} = g.id`
    return row ?? { documents: [], versions: [] }
  },
})
