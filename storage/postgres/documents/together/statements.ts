import { documents } from '../../../../schema/documents.js'
import {
  columnsOf,
  heldParent,
  INTO_OUTBOX,
  RECORD_COLUMNS,
  RECORD_FIELDS,
  RECORD_TYPES,
  tableOf,
} from '../../rows/index.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const x = columnsOf(documents, 'x')

/** Bytes of properties as they are stored. What is larger takes long to write again, words and all. */
const SMALL = 8_000

const PARENT = heldParent({
  id: 'given."parentId"',
  path: 'given."parentPath"',
  acl: 'given."parentAcl"',
  token: 'given."parentToken"',
})

/** The events of what was written, each row of `written` one document that `given` knows by its id. */
const emitted = (written: string): string => `
  INSERT INTO ${INTO_OUTBOX}
  SELECT e.event, e."documentId"::uuid, given.principal, e.payload
  FROM ${written} JOIN given ON given.id = ${written}.id,
    jsonb_to_recordset(given.events) AS e(event text, "documentId" text, payload jsonb)`

/**
 * New documents below parents that must still be what they were read as. `$1` has a record for each, with `principal`,
 * `events`, `parentPath`, `parentAcl` and, where the parent must be unchanged, `parentToken`.
 */
export const INSERT_CHILDREN = `
  WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(
      ${RECORD_FIELDS.map((field) => `"${field}" ${RECORD_TYPES[field]}`).join(', ')},
      principal text, events jsonb, "parentPath" text, "parentAcl" int, "parentToken" int)
  ), placed AS MATERIALIZED (
    SELECT given.id, parent.scope_id FROM given, LATERAL (${PARENT}) parent
  ), inserted AS (
    INSERT INTO ${DOCUMENTS} (${RECORD_FIELDS.map((field) => DOCUMENT[field]).join(', ')}, ${DOCUMENT.scopeId})
    SELECT ${RECORD_FIELDS.map((field) => `given."${field}"`).join(', ')}, placed.scope_id
    FROM given JOIN placed ON placed.id = given.id
    ON CONFLICT (${DOCUMENT.path}) WHERE ${DOCUMENT.path} IS NOT NULL DO NOTHING
    RETURNING ${DOCUMENT.id} AS id
  ), emitted AS (${emitted('inserted')})
  SELECT given.id, EXISTS (SELECT FROM placed WHERE placed.id = given.id) AS "isParentThere",
    EXISTS (SELECT FROM inserted WHERE inserted.id = given.id) AS "isInserted"
  FROM given`

/**
 * Changes of the properties of different documents, without those that are large or have proxies to write again: others
 * are not to wait for them. `$1` has for each `id`, what is `set` and what is `cleared`,
 * `userTokens`, `principal`, `events` and, where the document must be unchanged, `expected`, its system token.
 */
export const UPDATE_PROPERTIES = `
  WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS given(
      id uuid, "set" jsonb, cleared text[], "userTokens" int, expected int, principal text, events jsonb)
  ), d AS (
    UPDATE ${DOCUMENTS} AS x SET
      ${DOCUMENT.properties} = (${x.properties} || given."set") - given.cleared,
      ${DOCUMENT.systemToken} = ${x.systemToken} + 1,
      ${DOCUMENT.userToken} = ${x.userToken} + given."userTokens"
    FROM given
    WHERE ${x.id} = given.id AND ${x.systemToken} = coalesce(given.expected, ${x.systemToken})
      AND NOT ${x.hasProxies} AND pg_column_size(${x.properties}) < ${SMALL}
    RETURNING x.*
  ), emitted AS (${emitted('d')})
  SELECT ${RECORD_COLUMNS} FROM d`
