import { type DocumentStore, type SubtreeFacts, TRASHED_NAME } from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { CoreEvent } from '../../../core/platform/events/index.js'
import type { Sql } from '../database.js'
import { below, isGranted, NO_SCOPE, recordColumns, within } from './rows.js'
import { pointVersions, type Scopes, scopeAfterMove } from './scopes.js'

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
  scopes: Scopes,
  emit: (events: readonly CoreEvent[]) => Promise<void>,
): Pick<
  DocumentStore,
  | 'lockSubtree'
  | 'removeSubtree'
  | 'moveSubtree'
  | 'copySubtree'
  | 'markTrashed'
  | 'nextPosition'
  | 'childIds'
  | 'setPositions'
> => {
  const isTaken = async (path: string): Promise<boolean> =>
    (await sql`SELECT FROM documents WHERE path = ${path}`).count > 0

  return {
    lockSubtree: async (root) => {
      await lockRows(sql, root)
      const [facts] = await sql<SubtreeFacts[]>`
        SELECT coalesce(max(octet_length(d.path)), 0) AS "longestPath",
               coalesce(bool_or(d.has_proxies), false) AS "hasTargets"
        FROM documents d WHERE ${within(sql, root)}`
      if (!facts) throw new Error('An aggregate gave no row')
      return facts
    },

    removeSubtree: async (root, events) => {
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
      await emit(events)
    },

    markTrashed: async (root, isTrashed) => {
      const isKept = isTrashed
        ? sql`false`
        : sql`EXISTS (
            SELECT FROM documents t
            WHERE t.path > ${`${root.path}/`} AND t.path < ${`${root.path}0`} AND t.is_trashed
              AND t.name ~ ${TRASHED_NAME} AND (d.id = t.id OR starts_with(d.path, t.path || '/')))`
      await sql`
        UPDATE documents d SET is_trashed = ${isTrashed}, system_token = system_token + 1
        WHERE ${within(sql, root)} AND d.is_trashed <> ${isTrashed} AND NOT ${isKept}`
    },

    nextPosition: async (parentId) => {
      const [row] = await sql<{ position: number }[]>`
        SELECT coalesce(max(position) + 1, 0) AS position FROM documents WHERE parent_id = ${parentId}`
      return row?.position ?? 0
    },

    childIds: async (parentId) => {
      const rows = await sql<{ id: string }[]>`
        SELECT id FROM documents WHERE parent_id = ${parentId} ORDER BY position NULLS LAST, name`
      return rows.map(({ id }) => id)
    },

    setPositions: async (ids) => {
      await sql`
        UPDATE documents d SET position = wanted.rank - 1
        FROM unnest(${sql.array([...ids])}::uuid[]) WITH ORDINALITY AS wanted(id, rank)
        WHERE d.id = wanted.id AND d.position IS DISTINCT FROM wanted.rank - 1`
    },

    moveSubtree: async (root, { parent, name, path, position }) => {
      if (root.path === null || (await isTaken(path))) return false
      const { path: from } = root
      const target = await scopes.move(from, { parentPath: parent.path ?? '/', path })
      const newPath = sql`(${path} || substr(d.path, char_length(${from}::text) + 1))`
      await sql`
        UPDATE documents d SET path = ${newPath}, scope_id = ${scopeAfterMove(sql, { path, newPath, target })}
        WHERE ${below(sql, from)}`
      await sql`
        UPDATE documents d SET path = ${path}, name = ${name}, parent_id = ${parent.id}, position = ${position},
          scope_id = ${scopeAfterMove(sql, { path, newPath, target })}, system_token = system_token + 1
        WHERE d.id = ${root.id}`
      await pointVersions(sql, path)
      await scopes.recompute(path)
      return true
    },

    copySubtree: async (root, copy) => {
      const { parent, name, path, position, readable, properties, initialStates, withChildren } = copy
      if (await isTaken(path)) return undefined
      // Held, so that a copied proxy repeats what its target holds when the copy is there.
      await sql`
        SELECT FROM documents t
        WHERE t.id IN (
          SELECT d.proxy_target_id FROM documents d WHERE d.proxy_target_id IS NOT NULL AND ${within(sql, root)})
        ORDER BY t.id FOR SHARE OF t`
      await sql`
        WITH RECURSIVE source AS (
          SELECT d.*, gen_random_uuid() AS new_id, ${parent.id}::uuid AS new_parent_id, ${path}::text AS new_path
          FROM documents d WHERE d.id = ${root.id}
          UNION ALL
          SELECT d.*, gen_random_uuid(), s.new_id, s.new_path || '/' || d.name
          FROM documents d JOIN source s ON d.parent_id = s.id
          WHERE d.type <> 'Comments' AND ${isGranted(sql, readable)} AND ${withChildren}
            AND (NOT d.is_trashed OR ${root.isTrashed})
        )
        INSERT INTO documents (
          id, parent_id, name, path, position, type, facets, is_trashed, scope_id, is_proxy, proxy_target_id,
          proxy_version_series_id, lifecycle_state, is_checked_in, major_version, minor_version, version_label,
          version_description, version_created_at, is_latest_version, is_latest_major_version, base_version_id,
          lock_owner, locked_at, user_token, properties)
        SELECT new_id, new_parent_id, CASE WHEN id = ${root.id} THEN ${name}::text ELSE name END, new_path,
               CASE WHEN id = ${root.id} THEN ${position}::int ELSE position END, type, facets,
               ${parent.isTrashed}::boolean, (SELECT p.scope_id FROM documents p WHERE p.id = ${parent.id}), is_proxy, proxy_target_id, proxy_version_series_id,
               CASE WHEN is_proxy THEN lifecycle_state ELSE ${sql.json(initialStates as never)} ->> type END,
               is_proxy AND is_checked_in,
               CASE WHEN is_proxy THEN major_version ELSE 0 END, CASE WHEN is_proxy THEN minor_version ELSE 0 END,
               CASE WHEN is_proxy THEN version_label END, CASE WHEN is_proxy THEN version_description END,
               CASE WHEN is_proxy THEN version_created_at END, is_proxy AND is_latest_version,
               is_proxy AND is_latest_major_version, CASE WHEN is_proxy THEN base_version_id END,
               CASE WHEN is_proxy THEN lock_owner END, CASE WHEN is_proxy THEN locked_at END,
               CASE WHEN is_proxy THEN user_token ELSE 0 END,
               CASE WHEN is_proxy THEN properties
                    ELSE (properties - ARRAY['uid:major_version', 'uid:minor_version']) ||
                      CASE WHEN properties ? 'dc:created' THEN ${sql.json(properties as never)} ELSE '{}'::jsonb END
               END
        FROM source`
      const [copied] = await sql<DocumentRecord[]>`
        SELECT ${recordColumns(sql)} FROM documents d WHERE d.path = ${path}`
      return copied
    },
  }
}
