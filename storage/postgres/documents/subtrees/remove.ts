import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import type { Sql } from '../../connection/index.js'
import { NO_SCOPE, within } from '../rows.js'

/** How many proxies outside of a subtree show a live document inside. */
export const countProxiesFromOutside = async (sql: Sql, root: DocumentRecord): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count
    FROM documents d JOIN documents p ON p.proxy_target_id = d.id
    WHERE ${within(sql, root)}
      AND NOT (p.id = ${root.id} OR starts_with(p.path, ${`${root.path}/`}))`
  return row?.count ?? 0
}

/** Removes a locked subtree with its versions, but for those that a proxy elsewhere still shows. */
export const removeSubtree = async (sql: Sql, root: DocumentRecord): Promise<void> => {
  // Held, so that of two who remove the last proxies of a series at once the second sees the first's work.
  await sql`
    SELECT FROM documents v
    WHERE v.is_version AND v.version_series_id IN (
      SELECT d.proxy_version_series_id FROM documents d
      WHERE d.proxy_version_series_id IS NOT NULL AND ${within(sql, root)})
    ORDER BY v.id FOR UPDATE OF v`
  // Versions that outlive their document are the administrators' (security.md §7).
  await sql`
    UPDATE documents v SET scope_id = ${NO_SCOPE} FROM documents d
    WHERE ${within(sql, root)} AND v.version_series_id = d.id AND EXISTS (
      SELECT FROM documents p WHERE p.proxy_version_series_id = d.id
        AND NOT (p.id = ${root.id} OR starts_with(p.path, ${`${root.path}/`})))`
  await sql`
    WITH gone AS (
      DELETE FROM documents d WHERE ${within(sql, root)} RETURNING d.id, d.proxy_version_series_id
    ), series AS (
      SELECT id FROM gone UNION SELECT proxy_version_series_id FROM gone WHERE proxy_version_series_id IS NOT NULL
    )
    DELETE FROM documents v USING series
    WHERE v.version_series_id = series.id
      AND (EXISTS (SELECT FROM gone WHERE gone.id = series.id)
           OR NOT EXISTS (SELECT FROM documents l WHERE l.id = series.id))
      AND NOT EXISTS (
        SELECT FROM documents p
        WHERE p.proxy_version_series_id = series.id AND NOT EXISTS (SELECT FROM gone WHERE gone.id = p.id))`
}
