import type { Principal } from '../../../core/access/security/index.js'
import type { DocumentChange, DocumentStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord, Properties } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'
import { ACL_IN_FORCE, RECORD_COLUMNS } from '../rows/index.js'
import { outboxRows } from './outbox.js'
import { NO_SCOPE, recordColumns } from './rows.js'

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

/** The columns of a new row with their types, in the order of the parameters from `$1` on. */
const INSERTED = {
  id: 'uuid',
  parentId: 'uuid',
  name: 'text',
  path: 'text',
  position: 'int',
  type: 'text',
  facets: 'text[]',
  lifecycleState: 'text',
  isVersion: 'boolean',
  isProxy: 'boolean',
  isCheckedIn: 'boolean',
  isTrashed: 'boolean',
  majorVersion: 'int',
  minorVersion: 'int',
  versionSeriesId: 'uuid',
  versionLabel: 'text',
  versionDescription: 'text',
  versionCreatedAt: 'timestamptz',
  isLatestVersion: 'boolean',
  isLatestMajorVersion: 'boolean',
  baseVersionId: 'uuid',
  proxyTargetId: 'uuid',
  proxyVersionSeriesId: 'uuid',
  lockOwner: 'text',
  lockedAt: 'timestamptz',
  systemToken: 'int',
  userToken: 'int',
  properties: 'jsonb',
} as const satisfies { [field in keyof DocumentRecord]?: string }

const FIELDS = Object.keys(INSERTED) as (keyof typeof INSERTED)[]

const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const parameterOf = (field: (typeof FIELDS)[number]): string =>
  `$${FIELDS.indexOf(field) + 1}::${INSERTED[field]}`

/** Parameters behind those of the row. */
const [PRINCIPAL, EVENTS, PARENT_PATH, PARENT_ACL, PARENT_TOKEN] = [1, 2, 3, 4, 5].map(
  (place) => `$${FIELDS.length + place}`,
)

/**
 * A new document as a whole text, built once.
 *
 * @param parent one row, with the scope of its ACL, when the document may be put where it is to stand.
 */
const insertText = (parent: string): string => `
  WITH parent AS MATERIALIZED (${parent}), inserted AS (
    INSERT INTO documents (${FIELDS.map(columnOf).join(', ')}, scope_id)
    SELECT ${FIELDS.map(parameterOf).join(', ')}, parent.scope_id FROM parent
    ON CONFLICT (path) WHERE path IS NOT NULL DO NOTHING
    RETURNING id
  ), told AS (
    INSERT INTO outbox (event, document_id, principal, payload)
    SELECT e.event, e."documentId"::uuid, ${PRINCIPAL}::text, e.payload
    FROM inserted, jsonb_to_recordset(${EVENTS}::jsonb) AS e(event text, "documentId" text, payload jsonb)
  )
  SELECT EXISTS (SELECT FROM parent) AS "isParentThere", EXISTS (SELECT FROM inserted) AS "isInserted"`

/** Below a parent that must still be where it was read, or, with a token, all that it was. */
const INSERT_CHILD = insertText(`
  SELECT d.id, d.scope_id FROM documents d
  WHERE d.id = ${parameterOf('parentId')} AND d.path = ${PARENT_PATH}::text
    AND ${ACL_IN_FORCE} = ${PARENT_ACL}::int
    AND d.system_token = coalesce(${PARENT_TOKEN}::int, d.system_token)
  FOR KEY SHARE OF d`)

/** A version belongs to the scope of its live document, held as well. */
const INSERT_VERSION = insertText(`
  SELECT d.id, d.scope_id FROM documents d WHERE d.id = ${parameterOf('versionSeriesId')} FOR KEY SHARE OF d`)

/** The root is given a scope of its own later. */
const INSERT_ROOT = insertText(`SELECT NULL::uuid AS id, ${NO_SCOPE}::int AS scope_id`)

export const createWrites = (sql: Sql, principal: Principal): Pick<DocumentStore, 'insert' | 'update'> => ({
  insert: async (record, events, parent) => {
    const text = parent ? INSERT_CHILD : record.isVersion ? INSERT_VERSION : INSERT_ROOT
    const values = [...FIELDS.map((field) => record[field]), principal.name, events]
    if (parent) values.push(parent.path, parent.aclId, parent.mustBeUnchanged ? parent.systemToken : null)
    const [row] = await sql.unsafe<{ isParentThere: boolean; isInserted: boolean }[]>(
      text,
      values as never[],
      { prepare: true },
    )
    if (row?.isInserted) return 'inserted'
    return row?.isParentThere ? 'nameTaken' : 'parentChanged'
  },

  update: async (change, events) => {
    const { set, cleared } = splitProperties(change.properties ?? {})
    const userTokens = change.isUserChange ? 1 : 0
    const expected = change.expectedSystemToken ?? null
    const { columns = {} } = change
    if (Object.keys(columns).length === 0) {
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
          ${columnAssignments(sql, columns)}
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
})
