import type { SubtreeCopy } from '../../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import type { Sql } from '../../connection/index.js'
import { isGranted, isPathTaken, recordColumns, within } from '../rows.js'

/** Copies a subtree as far as it may be read; undefined when the path is taken. */
export const copySubtree = async (
  sql: Sql,
  root: DocumentRecord,
  copy: SubtreeCopy,
): Promise<DocumentRecord | undefined> => {
  const { parent, name, path, position, readable, properties, initialStates, withChildren } = copy
  if (await isPathTaken(sql, path)) return undefined
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
}
