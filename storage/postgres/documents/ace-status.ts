import type { Database } from '../connection/index.js'

/** Entries that one statement looks at. */
const BATCH = 1_000

/**
 * Brings the stored status of entries with dates up to date, and tells of each document whose entries have changed
 * (security.md §7). Rights do not wait for it: they look at the clock.
 *
 * @returns the number of documents that were told about.
 */
export const refreshAceStatuses = async ({ sql }: Pick<Database, 'sql'>): Promise<number> => {
  for (let told = 0; ; ) {
    const [row] = await sql<{ changed: number; told: number }[]>`
      WITH due AS (
        SELECT document_id, position, status FROM document_acls
        WHERE (begins_at IS NOT NULL OR ends_at IS NOT NULL)
          AND status IS DISTINCT FROM archivolt_ace_status(begins_at, ends_at, now())
        ORDER BY document_id, position LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ), changed AS (
        UPDATE document_acls a SET status = archivolt_ace_status(a.begins_at, a.ends_at, now()) FROM due
        WHERE a.document_id = due.document_id AND a.position = due.position
        RETURNING a.*, due.status AS before
      ), told AS (
        INSERT INTO outbox (event, document_id, principal, payload)
        SELECT 'ACEStatusUpdated', d.id, 'system', jsonb_build_object(
          'type', d.type, 'path', d.path, 'lifecycleState', d.lifecycle_state, 'systemToken', d.system_token,
          'aces', jsonb_agg(jsonb_build_object('acl', c.acl, 'username', c.username, 'permission', c.permission,
            'granted', c.granted, 'status', (ARRAY['pending', 'effective', 'archived'])[c.status + 1]) ORDER BY c.position))
        FROM changed c JOIN documents d ON d.id = c.document_id
        WHERE c.before IS NOT NULL
        GROUP BY d.id
        RETURNING document_id
      )
      SELECT (SELECT count(*)::int FROM changed) AS changed, (SELECT count(*)::int FROM told) AS told`
    told += row?.told ?? 0
    if ((row?.changed ?? 0) < BATCH) return told
  }
}
