import type { DocumentRecord, DocumentStore, LockMode } from '../../../core/documents/index.js'
import type { Sql } from '../database.js'
import { fromRow, isUuid, type Row, recordColumns, within } from './rows.js'

/**
 * `KEY SHARE` conflicts with `UPDATE` alone, so children may be made while a folder's own properties are
 * written, but not while it is moved, removed or given another ACL.
 */
const lockClause = (sql: Sql, mode: LockMode | undefined) => {
  if (mode === 'write') return sql`FOR NO KEY UPDATE OF d`
  if (mode === 'parent') return sql`FOR KEY SHARE OF d`
  if (mode === 'structure') return sql`FOR UPDATE OF d`
  return sql``
}

export const createReads = (
  sql: Sql,
): Pick<
  DocumentStore,
  'get' | 'getMany' | 'children' | 'query' | 'count' | 'queryIds' | 'subtreeAclIds'
> => ({
  get: async (ref, lock) => {
    if (ref.startsWith('/')) {
      const [row] = await sql<DocumentRecord[]>`
        SELECT ${recordColumns(sql)} FROM documents d WHERE d.path = ${ref} ${lockClause(sql, lock)}`
      return row
    }
    if (!isUuid(ref)) return undefined
    const [row] = await sql<DocumentRecord[]>`
      SELECT ${recordColumns(sql)} FROM documents d WHERE d.id = ${ref} ${lockClause(sql, lock)}`
    return row
  },

  getMany: async (ids) => {
    const known = ids.filter(isUuid)
    if (known.length === 0) return []
    return sql<DocumentRecord[]>`
      SELECT ${recordColumns(sql)}
      FROM unnest(${sql.array(known)}::uuid[]) WITH ORDINALITY AS wanted(id, rank)
      JOIN documents d ON d.id = wanted.id
      ORDER BY rank`
  },

  children: async (parentId) => sql<DocumentRecord[]>`
    SELECT ${recordColumns(sql)} FROM documents d
    WHERE d.parent_id = ${parentId} ORDER BY d.position NULLS LAST, d.name`,

  query: async (plan, { limit, offset }) => {
    const { text, parameters } = plan.rows({ limit, offset })
    const rows = await sql.unsafe<Row[]>(text, parameters as never[], { prepare: true })
    return rows.map(fromRow)
  },

  count: async (plan) => {
    const { text, parameters } = plan.count()
    const [row] = await sql.unsafe<{ count: string }[]>(text, parameters as never[], { prepare: true })
    return Number(row?.count ?? 0)
  },

  queryIds: async (plan, limit) => {
    const { text, parameters } = plan.ids({ limit })
    const rows = await sql.unsafe<{ id: string }[]>(text, parameters as never[], { prepare: true })
    return rows.map((row) => row.id)
  },

  subtreeAclIds: async (root) => {
    const rows = await sql<{ aclId: number }[]>`
      SELECT DISTINCT d.acl_id AS "aclId" FROM documents d WHERE ${within(sql, root)}`
    return rows.map((row) => row.aclId)
  },
})
