import type { Principal } from '../../../core/access/security/index.js'
import type { ChildStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, readRows, tableOf } from '../rows/index.js'
import { recordColumns } from './rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

export const createChildren = (sql: Sql, owner: Principal): ChildStore => ({
  list: (parentId) =>
    readRows(
      named(sql)<DocumentRecord[]>`
      SELECT ${recordColumns(sql)} FROM ${DOCUMENTS} d
      WHERE ${d.parentId} = ${parentId} ORDER BY ${d.position} NULLS LAST, ${d.name}`,
      { atMost: Number.POSITIVE_INFINITY, owner },
    ),

  ids: async (parentId) => {
    const rows = await named(sql)<{ id: string }[]>`
      SELECT ${DOCUMENT.id} FROM ${DOCUMENTS} WHERE ${DOCUMENT.parentId} = ${parentId} ORDER BY ${DOCUMENT.position} NULLS LAST, ${DOCUMENT.name}`
    return rows.map(({ id }) => id)
  },

  nextPosition: async (parentId) => {
    const [row] = await named(sql)<{ position: number }[]>`
      SELECT coalesce(max(${DOCUMENT.position}) + 1, 0) AS position FROM ${DOCUMENTS} WHERE ${DOCUMENT.parentId} = ${parentId}`
    return row?.position ?? 0
  },

  setPositions: async (ids) => {
    await named(sql)`
      UPDATE ${DOCUMENTS} d SET ${DOCUMENT.position} = wanted.rank - 1
      FROM unnest(${sql.array([...ids])}::uuid[]) WITH ORDINALITY AS wanted(id, rank)
      WHERE ${d.id} = wanted.id AND ${d.position} IS DISTINCT FROM wanted.rank - 1`
  },
})
