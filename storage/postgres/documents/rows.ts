import type { GrantedDocuments, Subtree } from '../../../core/content/stores/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import {
  ACL_IN_FORCE,
  BRIEF_COLUMNS,
  columnsOf,
  named,
  RECORD_COLUMNS,
  readableText,
  tableOf,
} from '../rows/index.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

export const recordColumns = (sql: Sql) => sql.unsafe(RECORD_COLUMNS)

/** The most frequent statements as whole texts: joining fragments again costs more than sending them. */
export const SELECT_BY_ID = `SELECT ${RECORD_COLUMNS} FROM ${DOCUMENTS} d WHERE ${d.id} = $1`
export const SELECT_BY_PATH = `SELECT ${RECORD_COLUMNS} FROM ${DOCUMENTS} d WHERE ${d.path} = $1`
export const SELECT_FACTS = `SELECT ${d.id}, ${ACL_IN_FORCE} AS "aclId", ${d.type}, ${d.facets},
  ${d.lifecycleState} AS "lifecycleState", ${d.lockOwner} AS "lockOwner", ${d.isVersion} AS "isVersion"
  FROM ${DOCUMENTS} d WHERE ${d.id} = ANY ($1::uuid[])`
export const SELECT_BRIEFLY = `SELECT ${BRIEF_COLUMNS} FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted(id, rank)
  JOIN ${DOCUMENTS} d ON ${d.id} = wanted.id ORDER BY rank`
export const SELECT_BY_PATHS = `SELECT ${RECORD_COLUMNS} FROM ${DOCUMENTS} d WHERE ${d.path} = ANY ($1::text[])`

/** Bytes of the properties of a document that is small, as JSON: a hundred of these are far less than a list may have. */
const SMALL = 128 * 1024

/** Bytes as they are stored: however well these are compressed, they are no more characters than that. */
const STORED_SMALL = 1_000

/** Whether a document is small; of most of them without unpacking their properties. */
export const IS_SMALL = `(pg_column_size(${d.properties}) <= ${STORED_SMALL}
  OR octet_length(${d.properties}::text) <= ${SMALL})`

/** What belongs to no scope of an ACL: a root being made, versions whose live document is gone. */
export const NO_SCOPE = 0

/** What is in force on what belongs to no scope: an ACL that grants nothing. */
export const NO_ACL = 0

/** Everything below a path, as one range of the index on `path`: `0` is the character after `/`. */
export const below = (sql: Sql, path: string) => {
  const prefix = path === '/' ? '' : path
  return named(sql)`${d.path} > ${`${prefix}/`} AND ${d.path} < ${`${prefix}0`}`
}

/** A document and everything below it, or the part of it that is meant. */
export const within = (sql: Sql, root: Subtree) => {
  if (root.path === null) return named(sql)`${d.id} = ${root.id}`
  if (root.from !== undefined) return named(sql)`(${d.path} >= ${root.from} AND ${below(sql, root.path)})`
  return named(sql)`(${d.id} = ${root.id} OR (${below(sql, root.path)}))`
}

const IDENTITIES = '$identities'

/** The condition on documents that keeps those which one of some names may browse. */
export const readable = (sql: Sql, identities: readonly string[]) => {
  const [first = '', ...others] = readableText(IDENTITIES).split(IDENTITIES)
  const parameter = named(sql)`${sql.array([...identities])}::text[]`
  return others.reduce(
    (text, part) => named(sql)`${text}${parameter}${sql.unsafe(part)}`,
    named(sql)`${sql.unsafe(first)}`,
  )
}

/** Whether something is at a path. */
export const isPathTaken = async (sql: Sql, path: string): Promise<boolean> =>
  (await named(sql)`SELECT FROM ${DOCUMENTS} d WHERE ${d.path} = ${path}`).count > 0

/** What decides about rights on a document, as one text to compare; see `SubtreeKind`. */
export const KIND = `ROW(${ACL_IN_FORCE}, ${d.type}, ${d.facets}, ${d.lifecycleState}, ${d.lockOwner}, ${d.isVersion})::text`

/** The condition that keeps the documents that are granted; all when there is nothing to say. */
export const isGranted = (sql: Sql, granted: GrantedDocuments | null) => {
  if (granted === null) return named(sql)`true`
  const ofKinds = named(sql)`${sql.unsafe(KIND)} = ANY (${sql.array([...granted.kinds])}::text[])`
  if (granted.except.length === 0) return ofKinds
  return named(sql)`(${ofKinds} AND ${d.id} <> ALL (${sql.array([...granted.except])}::uuid[]))`
}
