import { LRUCache } from 'lru-cache'
import type { BrowsedScopes, IndexFeed, ReadingApart } from '../../../core/content/stores/index.js'
import { aclScopes, acls } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, namingPath, tableOf, unreadScopesText } from '../rows/index.js'

const SCOPES = tableOf(aclScopes)
const ACLS = tableOf(acls)
const a = columnsOf(acls, 'a')
const s = columnsOf(aclScopes, 's')
const f = columnsOf(aclScopes, 'f')

type Gathered = BrowsedScopes & { mark: string; until: string }

const scopesIn = ({ documents, versions }: Gathered): BrowsedScopes => ({ documents, versions })

/** Scopes that are remembered, of all that have asked. */
const MAX_SCOPES = 1_000_000

/**
 * The scopes that somebody may browse at this moment. An index knows of each document the scope that its path is in, so
 * that what is left to be pointed to another one in the database (docs/security.md) makes no difference here. What was
 * gathered before counts while the database still has the mark of its rights that it had then, and no dated right has
 * begun or ended: each call asks for that.
 */
export const createScopeLookup = (sql: Sql): Pick<IndexFeed, 'scopesOf'> => {
  const known = new LRUCache<string, Gathered>({
    maxSize: MAX_SCOPES,
    sizeCalculation: ({ documents, versions }) => 1 + documents.length + versions.length,
  })

  const holds = async ({ mark, until }: Gathered): Promise<boolean> => {
    const [row] = await named(sql)<{ holds: boolean }[]>`
      SELECT archivolt_acl_mark() = ${mark}::text AND now() < ${until}::text::timestamptz AS holds`
    return row?.holds ?? false
  }

  const gather = async (identities: readonly string[]): Promise<Gathered | undefined> => {
    const names = sql.array([...identities])
    // Rows outlive the entries that they were made of.
    const isInForce = named(sql)`EXISTS (SELECT FROM ${SCOPES} f WHERE ${f.aclId} = ${a.id})`
    const [row] = await named(sql)<Gathered[]>`
      WITH granting AS MATERIALIZED (
        SELECT ${a.id} AS id, true AS documents,
          CASE WHEN ${a.readsVersions} THEN archivolt_may_browse_version(${a.entries}, ${names}::text[]) ELSE true END AS versions
        FROM ${ACLS} a
        WHERE ${isInForce} AND CASE WHEN ${a.isPlain} THEN ${a.browsers} && ${names}::text[]
                   ELSE (${a.browsers} = '{}' OR ${a.browsers} && ${names}::text[])
                     AND archivolt_may_browse(${a.entries}, ${names}::text[]) END
        UNION ALL
        SELECT ${a.id}, false, true FROM ${ACLS} a
        WHERE ${isInForce} AND ${a.readsVersions} AND archivolt_may_browse_version(${a.entries}, ${names}::text[])
          AND NOT CASE WHEN ${a.isPlain} THEN ${a.browsers} && ${names}::text[]
                       ELSE archivolt_may_browse(${a.entries}, ${names}::text[]) END
      )
      SELECT coalesce(array_agg(${s.id}) FILTER (WHERE g.documents), '{}') AS documents,
        coalesce(array_agg(${s.id}) FILTER (WHERE g.versions), '{}') AS versions,
        archivolt_acl_mark() AS mark, archivolt_next_ace_date()::text AS until
      FROM granting g JOIN ${SCOPES} s ON ${s.aclId} = g.id`
    return row
  }

  const browsed = async (identities: readonly string[]): Promise<BrowsedScopes> => {
    const key = JSON.stringify(identities)
    const before = known.get(key)
    if (before && (await holds(before))) return scopesIn(before)
    const found = await gather(identities)
    if (!found) return { documents: [], versions: [] }
    known.set(key, found)
    return scopesIn(found)
  }

  const unread = async (
    identities: readonly string[],
    { browsing, reading }: ReadingApart,
  ): Promise<ReadonlySet<number>> => {
    const parameters = [[...identities], namingPath(browsing), [...reading]]
    const text = unreadScopesText('$1::text[]', '$2', '$3::text[]')
    const rows = await sql.unsafe<{ id: number }[]>(text, parameters)
    return new Set(rows.map(({ id }) => id))
  }

  return {
    scopesOf: async ({ identities }, reading) => {
      const found = await browsed(identities)
      if (!reading) return found
      // Looked at behind the others: what has been taken from a reader meanwhile is left out.
      const without = await unread(identities, reading)
      const read = (scopes: readonly number[]) => scopes.filter((scope) => !without.has(scope))
      return without.size === 0 ? found : { documents: read(found.documents), versions: read(found.versions) }
    },
  }
}
