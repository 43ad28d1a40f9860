import type { ProxyStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'
import { recordColumns } from './rows.js'

export const createProxies = (sql: Sql): ProxyStore => ({
  list: async (seriesId, parentId) => sql<DocumentRecord[]>`
    SELECT ${recordColumns(sql)} FROM documents d
    WHERE d.proxy_version_series_id = ${seriesId}
      AND d.parent_id = coalesce(${parentId ?? null}::uuid, d.parent_id)
    ORDER BY d.path`,

  holdTarget: async (id) => {
    const [row] = await sql<DocumentRecord[]>`
      UPDATE documents d SET has_proxies = true WHERE d.id = ${id} RETURNING ${recordColumns(sql)}`
    return row
  },
})
