import type { DocumentStore } from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sql } from '../database.js'
import { recordColumns, within } from './rows.js'

export const createProxies = (
  sql: Sql,
): Pick<DocumentStore, 'proxies' | 'holdProxyTarget' | 'countProxiesFromOutside'> => ({
  proxies: async (seriesId, parentId) => sql<DocumentRecord[]>`
    SELECT ${recordColumns(sql)} FROM documents d
    WHERE d.proxy_version_series_id = ${seriesId}
      AND d.parent_id = coalesce(${parentId ?? null}::uuid, d.parent_id)
    ORDER BY d.path`,

  holdProxyTarget: async (id) => {
    const [row] = await sql<DocumentRecord[]>`
      UPDATE documents d SET has_proxies = true WHERE d.id = ${id} RETURNING ${recordColumns(sql)}`
    return row
  },

  countProxiesFromOutside: async (root) => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count
      FROM documents d JOIN documents p ON p.proxy_target_id = d.id
      WHERE ${within(sql, root)}
        AND NOT (p.id = ${root.id} OR starts_with(p.path, ${`${root.path}/`}))`
    return row?.count ?? 0
  },
})
