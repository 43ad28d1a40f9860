import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../core/access/security/index.js'
import { aclScopes, documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import type { GatheredScopes, Reach } from '../nxql/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const ACL_SCOPES = tableOf(aclScopes)
const DOCUMENTS = tableOf(documents)
const { scopeId } = columnsOf(documents)

/** By the names of a principal, whether it may browse much of a database, as far as somebody has asked lately. */
export type Reaches = Pick<Map<string, boolean>, 'get'> & { set(names: string, isWide: boolean): unknown }

/** The scopes of the principal whose names are given as JSON, where somebody has gathered them. */
export type GatheredFor = (
  identities: string,
) => GatheredScopes | undefined | Promise<GatheredScopes | undefined>

/** A guess that is wrong makes a query slower, and nothing else. */
const REMEMBERED_MS = 300_000
const MAX_REMEMBERED = 10_000

/** Of all stores on one database. */
export const createReaches = (): Reaches =>
  new LRUCache<string, boolean>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS })

/** From this part of all documents on, looking for them by their scopes takes longer than walking another index. */
const WIDE = 0.1

/**
 * About which part of all documents one may browse: of those in common scopes by what the database knows of their
 * sizes, of the others by how many scopes there are.
 */
const partRead = async (sql: Sql, identities: readonly string[]): Promise<number> => {
  const [row] = await named(sql)<{ part: number }[]>`
    WITH readable AS MATERIALIZED (
      SELECT DISTINCT unnest(archivolt_readable_scopes(${sql.array([...identities])}::text[])) AS id
    ), common AS MATERIALIZED (
      SELECT c.id, c.part FROM pg_stats p, unnest(p.most_common_vals::text::int[], p.most_common_freqs) AS c(id, part)
      WHERE p.schemaname = current_schema() AND p.tablename = '${DOCUMENTS}' AND p.attname = '${scopeId}'
    )
    SELECT (coalesce((SELECT sum(part) FROM common JOIN readable USING (id)), 0)
      + (1 - coalesce((SELECT sum(part) FROM common), 0))
      * (SELECT count(*) FROM readable WHERE id NOT IN (SELECT id FROM common))
      / greatest(1, (SELECT count(*) FROM ${ACL_SCOPES} WHERE id NOT IN (SELECT id FROM common))))::float8 AS part`
  return row?.part ?? 0
}

/** How far a principal reads, about: what plans of queries depend on, never answers. */
export const createReach = (
  sql: Sql,
  { reaches, gathered }: { reaches: Reaches; gathered: GatheredFor },
): ((principal: Principal) => Promise<Reach>) => {
  const isWide = async (key: string, identities: readonly string[]): Promise<boolean> => {
    const known = reaches.get(key)
    if (known !== undefined) return known
    const found = (await partRead(sql, identities)) >= WIDE
    reaches.set(key, found)
    return found
  }
  return async ({ isAdministrator, identities }) => {
    // Nothing is asked of what administrators may browse.
    if (isAdministrator) return { isWide: true }
    const key = JSON.stringify(identities)
    return { isWide: await isWide(key, identities), gathered: await gathered(key) }
  }
}
