import type {
  DocumentChange,
  DocumentRecord,
  DocumentStore,
  Properties,
} from '../../../core/documents/index.js'
import type { CoreEvent } from '../../../core/events/index.js'
import { ACL_IN_FORCE } from '../../../core/nxql/index.js'
import type { Principal } from '../../../core/security/index.js'
import type { Sql } from '../database.js'
import { NO_SCOPE, RECORD_COLUMNS, recordColumns } from './rows.js'

const COLUMNS = {
  facets: 'facets',
  lifecycleState: 'lifecycle_state',
  isCheckedIn: 'is_checked_in',
  isTrashed: 'is_trashed',
  proxyTargetId: 'proxy_target_id',
  versionLabel: 'version_label',
  versionDescription: 'version_description',
  versionCreatedAt: 'version_created_at',
  isLatestVersion: 'is_latest_version',
  isLatestMajorVersion: 'is_latest_major_version',
  majorVersion: 'major_version',
  minorVersion: 'minor_version',
  baseVersionId: 'base_version_id',
  lockOwner: 'lock_owner',
  lockedAt: 'locked_at',
  position: 'position',
} as const satisfies Record<keyof NonNullable<DocumentChange['columns']>, string>

/** Rows of the outbox for some events, from one bound JSON parameter: any number of events, one statement text. */
const outboxRows = (sql: Sql, principal: Principal, events: readonly CoreEvent[]) => sql`
  SELECT e.event, e."documentId"::uuid, ${principal.name}::text, e.payload
  FROM jsonb_to_recordset(${sql.json(events as never)}) AS e(event text, "documentId" text, payload jsonb)`

/** A change of properties alone, by far the most frequent write, as a whole text like `SELECT_BY_ID`. */
const UPDATE_PROPERTIES = `
  WITH d AS (
    UPDATE documents SET
      properties = (properties || $1::jsonb) - $2::text[],
      system_token = system_token + 1,
      user_token = user_token + $3::int
    WHERE id = $4::uuid AND system_token = coalesce($5::int, system_token)
    RETURNING *
  ), told AS (
    INSERT INTO outbox (event, document_id, principal, payload)
    SELECT e.event, e."documentId"::uuid, $6::text, e.payload
    FROM d, jsonb_to_recordset($7::jsonb) AS e(event text, "documentId" text, payload jsonb)
  )
  SELECT ${RECORD_COLUMNS} FROM d`

/** What is set and what is cleared, by name. */
const splitProperties = (properties: Properties): { set: Properties; cleared: string[] } => {
  const set: Properties = {}
  const cleared: string[] = []
  for (const name of Object.keys(properties)) {
    const value = properties[name]
    if (value === null) cleared.push(name)
    else if (value !== undefined) set[name] = value
  }
  return { set, cleared }
}

/** The assignments as one fragment: the driver takes an empty list of fragments for a value. */
const columnAssignments = (sql: Sql, columns: NonNullable<DocumentChange['columns']>) =>
  Object.entries(columns).reduce((assignments, [key, value]) => {
    const column = sql(COLUMNS[key as keyof typeof COLUMNS])
    return sql`${assignments}, ${column} = ${value as never}`
  }, sql``)

/**
 * One row, with the scope of its ACL, when a child may be put under the parent as it was read. A version belongs to
 * the scope of its live document, held as well; the root is given one of its own later.
 */
const heldParent = (sql: Sql, record: DocumentRecord, parent: DocumentRecord | undefined) => {
  if (parent)
    return sql`SELECT d.id, d.scope_id FROM documents d
               WHERE d.id = ${parent.id} AND d.path = ${parent.path} AND ${sql.unsafe(ACL_IN_FORCE)} = ${parent.aclId}
               FOR KEY SHARE OF d`
  if (record.isVersion)
    return sql`SELECT d.id, d.scope_id FROM documents d WHERE d.id = ${record.versionSeriesId} FOR KEY SHARE OF d`
  return sql`SELECT NULL::uuid AS id, ${NO_SCOPE}::int AS scope_id`
}

export const createWrites = (
  sql: Sql,
  principal: Principal,
): Pick<DocumentStore, 'insert' | 'update' | 'emit' | 'markLatestVersion'> => ({
  insert: async (record, events, parent) => {
    const [row] = await sql<{ isParentThere: boolean; isInserted: boolean }[]>`
      WITH parent AS MATERIALIZED (${heldParent(sql, record, parent)}), inserted AS (
        INSERT INTO documents (
          id, parent_id, name, path, position, type, facets, lifecycle_state, is_version, is_proxy,
          is_checked_in, is_trashed, major_version, minor_version, version_series_id, version_label,
          version_description, version_created_at, is_latest_version, is_latest_major_version,
          base_version_id, proxy_target_id, proxy_version_series_id, lock_owner, locked_at, system_token,
          user_token, scope_id, properties)
        SELECT
          ${record.id}, ${record.parentId}, ${record.name}, ${record.path}, ${record.position}, ${record.type},
          ${record.facets}, ${record.lifecycleState}, ${record.isVersion}, ${record.isProxy},
          ${record.isCheckedIn}, ${record.isTrashed}, ${record.majorVersion}, ${record.minorVersion},
          ${record.versionSeriesId}, ${record.versionLabel}, ${record.versionDescription},
          ${record.versionCreatedAt}, ${record.isLatestVersion}, ${record.isLatestMajorVersion},
          ${record.baseVersionId}, ${record.proxyTargetId}, ${record.proxyVersionSeriesId}, ${record.lockOwner},
          ${record.lockedAt}, ${record.systemToken}, ${record.userToken}, parent.scope_id, ${sql.json(record.properties as never)}
        FROM parent
        ON CONFLICT (path) WHERE path IS NOT NULL DO NOTHING
        RETURNING id
      ), told AS (
        INSERT INTO outbox (event, document_id, principal, payload)
        SELECT rows.* FROM inserted, (${outboxRows(sql, principal, events)}) rows
      )
      SELECT EXISTS (SELECT FROM parent) AS "isParentThere", EXISTS (SELECT FROM inserted) AS "isInserted"`
    if (row?.isInserted) return 'inserted'
    return row?.isParentThere ? 'nameTaken' : 'parentChanged'
  },

  update: async (change, events) => {
    const { set, cleared } = splitProperties(change.properties ?? {})
    const userTokens = change.isUserChange ? 1 : 0
    const expected = change.expectedSystemToken ?? null
    if (!change.columns) {
      const values = [set, cleared, userTokens, change.id, expected, principal.name, events]
      const rows = await sql.unsafe<DocumentRecord[]>(UPDATE_PROPERTIES, values as never[], { prepare: true })
      return rows[0]
    }
    const [row] = await sql<DocumentRecord[]>`
      WITH d AS (
        UPDATE documents SET
          properties = (properties || ${sql.json(set as never)}) - ${sql.array(cleared)}::text[],
          system_token = system_token + 1,
          user_token = user_token + ${userTokens}::int
          ${columnAssignments(sql, change.columns)}
        WHERE id = ${change.id}
          AND system_token = coalesce(${expected}::int, system_token)
        RETURNING *
      ), told AS (
        INSERT INTO outbox (event, document_id, principal, payload)
        SELECT rows.* FROM d, (${outboxRows(sql, principal, events)}) rows
      )
      SELECT ${recordColumns(sql)} FROM d`
    return row
  },

  emit: async (events) => {
    await sql`INSERT INTO outbox (event, document_id, principal, payload) ${outboxRows(sql, principal, events)}`
  },

  markLatestVersion: async (version) => {
    await sql`
      UPDATE documents SET
        is_latest_version = false,
        is_latest_major_version = is_latest_major_version AND NOT ${version.isLatestMajorVersion}
      WHERE version_series_id = ${version.versionSeriesId} AND (is_latest_version OR is_latest_major_version)`
  },
})
