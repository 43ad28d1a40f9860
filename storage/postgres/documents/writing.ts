import type { DocumentChange, DocumentStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord, Properties } from '../../../core/model/properties/index.js'
import { weightOf } from '../../../core/platform/limits/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import {
  columnsOf,
  heldParent,
  INTO_OUTBOX,
  named,
  RECORD_COLUMNS,
  RECORD_FIELDS,
  RECORD_TYPES,
  type RecordField,
  tableOf,
  type Writer,
} from '../rows/index.js'
import { charactersOf, countingChange, LARGE } from './counting.js'
import { outboxRows } from './outbox.js'
import { NO_SCOPE, recordColumns } from './rows.js'
import type { Placed, WritesTogether } from './together/index.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/** A change of properties alone, by far the most frequent write, as a whole text like `SELECT_BY_ID`. */
const UPDATE_PROPERTIES = `
  WITH d AS (
    UPDATE ${DOCUMENTS} SET
      ${DOCUMENT.properties} = (${DOCUMENT.properties} || $1::jsonb) - $2::text[],
      ${DOCUMENT.systemToken} = ${DOCUMENT.systemToken} + 1,
      ${DOCUMENT.userToken} = ${DOCUMENT.userToken} + $3::int
    WHERE ${DOCUMENT.id} = $4::uuid AND ${DOCUMENT.systemToken} = coalesce($5::int, ${DOCUMENT.systemToken})
    RETURNING *
  ), emitted AS (
    INSERT INTO ${INTO_OUTBOX}
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
    const column = sql.unsafe(String(DOCUMENT[key as RecordField]))
    return named(sql)`${assignments}, ${column} = ${value as never}`
  }, named(sql)``)

/** The parameters of a new row stand in the order of its fields, from `$1` on. */
const parameterOf = (field: RecordField): string =>
  `$${RECORD_FIELDS.indexOf(field) + 1}::${RECORD_TYPES[field]}`

/** Parameters behind those of the row. */
const [PRINCIPAL, EVENTS, PARENT_PATH, PARENT_ACL, PARENT_TOKEN] = [1, 2, 3, 4, 5].map(
  (place) => `$${RECORD_FIELDS.length + place}`,
)

/**
 * A new document as a whole text, built once.
 *
 * @param parent one row, with the scope of its ACL, when the document may be put where it is to stand.
 */
const insertText = (parent: string): string => `
  WITH parent AS MATERIALIZED (${parent}), inserted AS (
    INSERT INTO ${DOCUMENTS} (${RECORD_FIELDS.map((field) => DOCUMENT[field]).join(', ')}, ${DOCUMENT.scopeId})
    SELECT ${RECORD_FIELDS.map(parameterOf).join(', ')}, parent.scope_id FROM parent
    ON CONFLICT (${DOCUMENT.path}) WHERE ${DOCUMENT.path} IS NOT NULL DO NOTHING
    RETURNING ${DOCUMENT.id}
  ), emitted AS (
    INSERT INTO ${INTO_OUTBOX}
    SELECT e.event, e."documentId"::uuid, ${PRINCIPAL}::text, e.payload
    FROM inserted, jsonb_to_recordset(${EVENTS}::jsonb) AS e(event text, "documentId" text, payload jsonb)
  )
  SELECT EXISTS (SELECT FROM parent) AS "isParentThere", EXISTS (SELECT FROM inserted) AS "isInserted"`

/** Below a parent that must still be where it was read, or, with a token, all that it was. */
const INSERT_CHILD = insertText(
  heldParent({
    id: parameterOf('parentId'),
    path: `${PARENT_PATH}::text`,
    acl: `${PARENT_ACL}::int`,
    token: `${PARENT_TOKEN}::int`,
  }),
)

/** A version belongs to the scope of its live document, held as well. */
const INSERT_VERSION = insertText(`
  SELECT ${d.id}, ${d.scopeId} FROM ${DOCUMENTS} d WHERE ${d.id} = ${parameterOf('versionSeriesId')} FOR KEY SHARE OF d`)

/** The root is given a scope of its own later. */
const INSERT_ROOT = insertText(`SELECT NULL::uuid AS ${DOCUMENT.id}, ${NO_SCOPE}::int AS ${DOCUMENT.scopeId}`)

export const createWrites = (
  sql: Sql,
  {
    principal,
    writes,
    together,
  }: Writer & {
    /** Outside transactions: what is small is written with what others write. */
    together?: WritesTogether | undefined
  },
): Pick<DocumentStore, 'insert' | 'update'> => ({
  insert: async (record, events, parent) => {
    const characters = writes || together ? charactersOf(record.properties) + weightOf(events) : 0
    await writes?.spend(characters)
    const text = parent ? INSERT_CHILD : record.isVersion ? INSERT_VERSION : INSERT_ROOT
    const token = parent?.mustBeUnchanged ? parent.systemToken : null
    const alone = async (): Promise<Placed> => {
      const values = [...RECORD_FIELDS.map((field) => record[field]), principal.name, events]
      if (parent) values.push(parent.path, parent.aclId, token)
      const [row] = await sql.unsafe<Placed[]>(text, values as never[], { prepare: true })
      return row!
    }
    const placed =
      together && parent && characters < LARGE
        ? await together.insert(
            {
              ...record,
              principal: principal.name,
              events,
              parentPath: parent.path,
              parentAcl: parent.aclId,
              parentToken: token,
            },
            alone,
          )
        : await alone()
    if (placed.isInserted) return 'inserted'
    writes?.owe(-characters)
    return placed.isParentThere ? 'nameTaken' : 'parentChanged'
  },

  update: async (change, events) => {
    const { set, cleared } = splitProperties(change.properties ?? {})
    const userTokens = change.isUserChange ? 1 : 0
    const expected = change.expectedSystemToken ?? null
    const { columns = {} } = change
    if (Object.keys(columns).length === 0) {
      const alone = async (): Promise<DocumentRecord | undefined> => {
        const values = [set, cleared, userTokens, change.id, expected, principal.name, events]
        const [row] = await sql.unsafe<DocumentRecord[]>(UPDATE_PROPERTIES, values as never[], {
          prepare: true,
        })
        return row
      }
      return countingChange(sql, { set, events, writes }, (asked) =>
        together && asked() < LARGE
          ? together.update(
              { id: change.id, set, cleared, userTokens, expected, principal: principal.name, events },
              alone,
            )
          : alone(),
      )
    }
    return countingChange(sql, { set, events, writes }, async () => {
      const [row] = await named(sql)<DocumentRecord[]>`
      WITH d AS (
        UPDATE ${DOCUMENTS} SET
          ${DOCUMENT.properties} = (${DOCUMENT.properties} || ${sql.json(set as never)}) - ${sql.array(cleared)}::text[],
          ${DOCUMENT.systemToken} = ${DOCUMENT.systemToken} + 1,
          ${DOCUMENT.userToken} = ${DOCUMENT.userToken} + ${userTokens}::int
          ${columnAssignments(sql, columns)}
        WHERE ${DOCUMENT.id} = ${change.id}
          AND ${DOCUMENT.systemToken} = coalesce(${expected}::int, ${DOCUMENT.systemToken})
        RETURNING *
      ), emitted AS (
        INSERT INTO ${INTO_OUTBOX}
        SELECT rows.* FROM d, (${outboxRows(sql, principal, events)}) rows
      )
      SELECT ${recordColumns(sql)} FROM d`
      return row
    })
  },
})
