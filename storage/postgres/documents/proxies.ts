import type { ProxyStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { recordColumns } from './rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

export const createProxies = (sql: Sql): ProxyStore => ({
  list: async (seriesId, parentId) => named(sql)<DocumentRecord[]>`
    SELECT ${recordColumns(sql)} FROM ${DOCUMENTS} d
    WHERE ${d.proxyVersionSeriesId} = ${seriesId}
      AND ${d.parentId} = coalesce(${parentId ?? null}::uuid, ${d.parentId})
    ORDER BY ${d.path}`,

  holdTarget: async (id) => {
    const [row] = await named(sql)<DocumentRecord[]>`
      UPDATE ${DOCUMENTS} d SET ${DOCUMENT.hasProxies} = true WHERE ${d.id} = ${id} RETURNING ${recordColumns(sql)}`
    return row
  },
})
