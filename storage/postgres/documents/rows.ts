import type { DocumentRecord } from '../../../core/documents/index.js'
import { ACL_IN_FORCE, readableText } from '../../../core/nxql/index.js'
import type { Sql } from '../database.js'

/**
 * The columns of a document under the names of its record, so that a row needs no mapping. `d` is the alias
 * that every statement gives to `documents`.
 */
export const RECORD_COLUMNS = `
  d.id, d.parent_id AS "parentId", d.name, d.path, d.position, d.type, d.facets,
  d.lifecycle_state AS "lifecycleState", d.is_version AS "isVersion", d.is_proxy AS "isProxy",
  d.is_checked_in AS "isCheckedIn", d.is_trashed AS "isTrashed", d.major_version AS "majorVersion",
  d.minor_version AS "minorVersion", d.version_series_id AS "versionSeriesId",
  d.version_label AS "versionLabel", d.version_description AS "versionDescription",
  d.version_created_at AS "versionCreatedAt", d.is_latest_version AS "isLatestVersion",
  d.is_latest_major_version AS "isLatestMajorVersion", d.base_version_id AS "baseVersionId",
  d.proxy_target_id AS "proxyTargetId", d.proxy_version_series_id AS "proxyVersionSeriesId",
  d.lock_owner AS "lockOwner", d.locked_at AS "lockedAt", d.system_token AS "systemToken",
  d.user_token AS "userToken", ${ACL_IN_FORCE} AS "aclId", d.properties`

export const recordColumns = (sql: Sql) => sql.unsafe(RECORD_COLUMNS)

/** The most frequent statements as whole texts: joining fragments anew costs more than sending them. */
export const SELECT_BY_ID = `SELECT ${RECORD_COLUMNS} FROM documents d WHERE d.id = $1`
export const SELECT_BY_PATH = `SELECT ${RECORD_COLUMNS} FROM documents d WHERE d.path = $1`

/** What belongs to no scope of an ACL: a root being made, versions whose live document is gone. */
export const NO_SCOPE = 0

export type Row = { [column: string]: unknown }

const camelCase = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A record from a row under the column names of the table, as a compiled query selects it. */
export const fromRow = (row: Row): DocumentRecord =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [camelCase(column), value]),
  ) as DocumentRecord

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What is not a UUID is no document's id; PostgreSQL would refuse the comparison instead of finding nothing. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** Everything below a path, as one range of the index on `path`: `0` is the character after `/`. */
export const below = (sql: Sql, path: string) => {
  const prefix = path === '/' ? '' : path
  return sql`d.path > ${`${prefix}/`} AND d.path < ${`${prefix}0`}`
}

/** A document and everything below it. */
export const within = (sql: Sql, root: DocumentRecord) =>
  root.path === null ? sql`d.id = ${root.id}` : sql`(d.id = ${root.id} OR (${below(sql, root.path)}))`

const IDENTITIES = '$identities'

/** The condition on documents that keeps those which one of some names may browse. */
export const readable = (sql: Sql, identities: readonly string[]) => {
  const [first = '', ...others] = readableText(IDENTITIES).split(IDENTITIES)
  const parameter = sql`${sql.array([...identities])}::text[]`
  return others.reduce((text, part) => sql`${text}${parameter}${sql.unsafe(part)}`, sql`${sql.unsafe(first)}`)
}

/** What decides about rights on a document, as one text to compare; see `SubtreeKind`. */
export const KIND = `ROW(${ACL_IN_FORCE}, d.type, d.facets, d.lifecycle_state, d.lock_owner, d.is_version)::text`

/** The condition that keeps documents of some kinds; all when there is no list. */
export const ofKinds = (sql: Sql, kinds: readonly string[] | null) =>
  kinds === null ? sql`true` : sql`${sql.unsafe(KIND)} = ANY (${sql.array([...kinds])}::text[])`
