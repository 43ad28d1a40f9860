import type { ChildStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'
import { readRows } from '../rows/index.js'
import { recordColumns } from './rows.js'

export const createChildren = (sql: Sql): ChildStore => ({
  list: (parentId) =>
    readRows(
      sql<DocumentRecord[]>`
      SELECT ${recordColumns(sql)} FROM documents d
      WHERE d.parent_id = ${parentId} ORDER BY d.position NULLS LAST, d.name`,
      Number.POSITIVE_INFINITY,
    ),

  ids: async (parentId) => {
    const rows = await sql<{ id: string }[]>`
      SELECT id FROM documents WHERE parent_id = ${parentId} ORDER BY position NULLS LAST, name`
    return rows.map(({ id }) => id)
  },

  nextPosition: async (parentId) => {
    const [row] = await sql<{ position: number }[]>`
      SELECT coalesce(max(position) + 1, 0) AS position FROM documents WHERE parent_id = ${parentId}`
    return row?.position ?? 0
  },

  setPositions: async (ids) => {
    await sql`
      UPDATE documents d SET position = wanted.rank - 1
      FROM unnest(${sql.array([...ids])}::uuid[]) WITH ORDINALITY AS wanted(id, rank)
      WHERE d.id = wanted.id AND d.position IS DISTINCT FROM wanted.rank - 1`
  },
})
