import type { Principal } from '../../../../core/access/security/index.js'
import type { Followed, SubtreeStore } from '../../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import type { Sql } from '../../connection/index.js'
import { below, isGranted } from '../rows.js'

/**
 * Takes what lies below a folder along a transition. Where a version was restored, checking out takes the numbers of
 * the latest one, as it does for a single document.
 */
export const followTransition = async (
  sql: Sql,
  root: DocumentRecord,
  {
    transition,
    table,
    granted,
    comment,
    principal,
  }: Parameters<SubtreeStore['followTransition']>[1] & { principal: Principal },
): Promise<Followed[]> => {
  if (root.path === null) return []
  return sql<Followed[]>`
    WITH step AS (
      SELECT * FROM jsonb_to_recordset(${sql.json(table)}) AS t(type text, "from" text, "to" text)
    ), held AS (
      SELECT d.id, d.lifecycle_state, d.is_checked_in, step."to"
      FROM documents d JOIN step ON step.type = d.type AND step."from" = d.lifecycle_state
      WHERE ${below(sql, root.path)} AND NOT d.is_proxy AND ${isGranted(sql, granted)}
      ORDER BY d.path FOR NO KEY UPDATE OF d
    ), changed AS (
      UPDATE documents d SET
        lifecycle_state = held."to",
        is_checked_in = false,
        major_version = coalesce(latest.major_version, d.major_version),
        minor_version = coalesce(latest.minor_version, d.minor_version),
        properties = d.properties || CASE WHEN latest.major_version IS NOT NULL AND d.properties ? 'uid:major_version'
          THEN jsonb_build_object('uid:major_version', latest.major_version, 'uid:minor_version', latest.minor_version)
          ELSE '{}'::jsonb END,
        system_token = d.system_token + 1
      FROM held LEFT JOIN documents latest
        ON held.is_checked_in AND latest.version_series_id = held.id AND latest.is_latest_version
      WHERE d.id = held.id
      RETURNING d.id, d.type, d.path, d.parent_id, d.system_token, held.lifecycle_state AS "from", held."to", held.is_checked_in
    ), told AS (
      INSERT INTO outbox (event, document_id, principal, payload)
      SELECT kind.event, c.id, ${principal.name}, jsonb_build_object(
        'type', c.type, 'path', c.path, 'parentId', c.parent_id, 'lifecycleState', c."from", 'systemToken', c.system_token) || kind.options
      FROM changed c CROSS JOIN LATERAL (VALUES
        (0, 'documentCheckedOut', '{}'::jsonb),
        (1, 'lifecycle_transition_event', jsonb_build_object(
          'lifecycleState', c."to", 'category', 'eventLifeCycleCategory', 'transition', ${transition}::text, 'from', c."from", 'to', c."to",
          'comment', ${comment}::text))
      ) AS kind(rank, event, options)
      WHERE kind.rank = 1 OR c.is_checked_in
      ORDER BY c.path, kind.rank
    )
    SELECT id, "from", is_checked_in AS "wasCheckedIn" FROM changed ORDER BY path`
}
