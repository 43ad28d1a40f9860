import type { DocumentRecord, DocumentStore } from '../../../core/documents/index.js'
import type { CoreEvent } from '../../../core/events/index.js'
import type { Sql } from '../database.js'
import { below, recordColumns, within } from './rows.js'

/**
 * Locks a subtree against every change. A child that another transaction was making while the first
 * statement waited for its parent is not in that statement's snapshot, so rows are locked until a statement
 * finds no new ones: by then every parent is held and no child can be made.
 */
const lockRows = async (sql: Sql, root: DocumentRecord): Promise<void> => {
  for (let known = -1; ; ) {
    const { count } =
      await sql`SELECT FROM documents d WHERE ${within(sql, root)} ORDER BY d.path FOR UPDATE OF d`
    if (count === known) return
    known = count
  }
}

export const createStructure = (
  sql: Sql,
  recomputeAcls: (root: DocumentRecord) => Promise<void>,
  emit: (events: readonly CoreEvent[]) => Promise<void>,
): Pick<DocumentStore, 'lockSubtree' | 'removeSubtree' | 'moveSubtree' | 'copySubtree'> => {
  const isTaken = async (path: string): Promise<boolean> =>
    (await sql`SELECT FROM documents WHERE path = ${path}`).count > 0

  return {
    lockSubtree: async (root) => {
      await lockRows(sql, root)
      const [facts] = await sql<{ aclIds: number[] | null; lockOwners: string[] | null }[]>`
        SELECT array_agg(DISTINCT d.acl_id) AS "aclIds",
               array_agg(DISTINCT d.lock_owner) FILTER (WHERE d.lock_owner IS NOT NULL) AS "lockOwners"
        FROM documents d WHERE ${within(sql, root)}`
      return { aclIds: facts?.aclIds ?? [], lockOwners: facts?.lockOwners ?? [] }
    },

    removeSubtree: async (root, events) => {
      await sql`
        WITH gone AS (DELETE FROM documents d WHERE ${within(sql, root)} RETURNING d.id)
        DELETE FROM documents v USING gone WHERE v.version_series_id = gone.id`
      await emit(events)
    },

    moveSubtree: async (root, { parent, name, path }) => {
      if (root.path === null || (await isTaken(path))) return false
      const { path: from } = root
      await sql`
        UPDATE documents d SET path = ${path} || substr(d.path, char_length(${from}::text) + 1)
        WHERE ${below(sql, from)}`
      await sql`
        UPDATE documents SET path = ${path}, name = ${name}, parent_id = ${parent.id}, system_token = system_token + 1
        WHERE id = ${root.id}`
      await recomputeAcls({ ...root, path, name, parentId: parent.id })
      return true
    },

    copySubtree: async (root, { parent, name, path, readableAclIds, properties, initialStates }) => {
      if (await isTaken(path)) return undefined
      await sql`
        WITH RECURSIVE source AS (
          SELECT d.*, gen_random_uuid() AS new_id, ${parent.id}::uuid AS new_parent_id, ${path}::text AS new_path
          FROM documents d WHERE d.id = ${root.id}
          UNION ALL
          SELECT d.*, gen_random_uuid(), s.new_id, s.new_path || '/' || d.name
          FROM documents d JOIN source s ON d.parent_id = s.id
          WHERE d.acl_id = ANY (${sql.array([...readableAclIds])}::int[])
        )
        INSERT INTO documents (
          id, parent_id, name, path, position, type, facets, lifecycle_state, is_proxy, acl_id, properties)
        SELECT new_id, new_parent_id, CASE WHEN id = ${root.id} THEN ${name}::text ELSE name END, new_path,
               CASE WHEN id = ${root.id} THEN NULL ELSE position END, type, facets,
               ${sql.json(initialStates as never)} ->> type, is_proxy, ${parent.aclId}::int,
               (properties - ARRAY['uid:major_version', 'uid:minor_version']) ||
                 CASE WHEN properties ? 'dc:created' THEN ${sql.json(properties as never)} ELSE '{}'::jsonb END
        FROM source`
      const [copy] = await sql<DocumentRecord[]>`
        SELECT ${recordColumns(sql)} FROM documents d WHERE d.path = ${path}`
      return copy
    },
  }
}
