import { documentAcls, documents } from '../../../../schema/documents.js'
import type { Database } from '../../connection/index.js'
import { columnsOf, INTO_OUTBOX, named, tableOf } from '../../rows/index.js'

const ACE = columnsOf(documentAcls)
const DOCUMENT_ACLS = tableOf(documentAcls)
const DOCUMENTS = tableOf(documents)
const a = columnsOf(documentAcls, 'a')
const d = columnsOf(documents, 'd')

/** Entries that one statement looks at. */
const BATCH = 1_000

/**
 * Brings the stored status of entries with dates up to date, and emits an event for each document whose entries have changed
 * (reference: security.md §7). Rights do not wait for it: they look at the clock.
 *
 * @returns the number of documents that events were emitted for.
 */
export const refreshAceStatuses = async ({ sql }: Pick<Database, 'sql'>): Promise<number> => {
  for (let emitted = 0; ; ) {
    const [row] = await named(sql)<{ changed: number; emitted: number }[]>`
      WITH due AS (
        SELECT ${ACE.documentId}, ${ACE.position}, ${ACE.status} FROM ${DOCUMENT_ACLS}
        WHERE (${ACE.beginsAt} IS NOT NULL OR ${ACE.endsAt} IS NOT NULL)
          AND ${ACE.status} IS DISTINCT FROM archivolt_ace_status(${ACE.beginsAt}, ${ACE.endsAt}, now())
        ORDER BY ${ACE.documentId}, ${ACE.position} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
      ), changed AS (
        UPDATE ${DOCUMENT_ACLS} a SET ${ACE.status} = archivolt_ace_status(${a.beginsAt}, ${a.endsAt}, now()) FROM due
        WHERE ${a.documentId} = due.document_id AND ${a.position} = due.position
        RETURNING a.*, due.status AS before
      ), emitted AS (
        INSERT INTO ${INTO_OUTBOX}
        SELECT 'ACEStatusUpdated', ${d.id}, 'system', jsonb_build_object(
          'type', ${d.type}, 'path', ${d.path}, 'lifecycleState', ${d.lifecycleState}, 'systemToken', ${d.systemToken},
          'aces', jsonb_agg(jsonb_build_object('acl', c.acl, 'username', c.username, 'permission', c.permission,
            'granted', c.granted, 'status', (ARRAY['pending', 'effective', 'archived'])[c.status + 1]) ORDER BY c.position))
        FROM changed c JOIN ${DOCUMENTS} d ON ${d.id} = c.document_id
        WHERE c.before IS NOT NULL
        GROUP BY ${d.id}
        RETURNING document_id
      )
      SELECT (SELECT count(*)::int FROM changed) AS changed, (SELECT count(*)::int FROM emitted) AS emitted`
    emitted += row?.emitted ?? 0
    if ((row?.changed ?? 0) < BATCH) return emitted
  }
}
