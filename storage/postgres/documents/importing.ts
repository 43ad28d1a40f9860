import type { DocumentStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { CoreEvent } from '../../../core/platform/events/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { ACL_IN_FORCE, columnsOf, INTO_OUTBOX, tableOf, type Writer } from '../rows/index.js'
import { charactersOf } from './counting.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')
const p = columnsOf(documents, 'p')

/** What rows of an import have that is not the same for all, as one JSON value: any number of rows, one text. */
const rowOf = ({ record, event }: { record: DocumentRecord; event: CoreEvent }) => ({
  id: record.id,
  parent: record.parentId,
  name: record.name,
  path: record.path,
  position: record.position,
  type: record.type,
  state: record.lifecycleState,
  trashed: record.isTrashed,
  major: record.majorVersion,
  minor: record.minorVersion,
  properties: record.properties,
  event: event.event,
  payload: event.payload,
})

/**
 * What is below one folder belongs to the scope of its parent, which a listener may have given an ACL of its own since
 * it was made. The folder is held as it was read until the transaction ends.
 */
const INSERT_MANY = `
  WITH folder AS MATERIALIZED (
    SELECT ${d.id}, ${d.scopeId} FROM ${DOCUMENTS} d
    WHERE ${d.id} = $1::uuid AND ${d.path} = $2::text AND ${ACL_IN_FORCE} = $3::int
    FOR KEY SHARE OF d
  ), rows AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($4::jsonb) AS r(
      id uuid, parent uuid, name text, path text, position int, type text, state text, trashed boolean,
      major int, minor int, properties jsonb, event text, payload jsonb)
  ), inserted AS (
    INSERT INTO ${DOCUMENTS} (
      ${DOCUMENT.id}, ${DOCUMENT.parentId}, ${DOCUMENT.name}, ${DOCUMENT.path}, ${DOCUMENT.position}, ${DOCUMENT.type}, ${DOCUMENT.lifecycleState}, ${DOCUMENT.isTrashed}, ${DOCUMENT.majorVersion}, ${DOCUMENT.minorVersion},
      ${DOCUMENT.scopeId}, ${DOCUMENT.properties})
    SELECT r.id, r.parent, r.name, r.path, r.position, r.type, r.state, r.trashed, r.major, r.minor,
           CASE WHEN r.parent = folder.id THEN folder.scope_id
                ELSE (SELECT ${p.scopeId} FROM ${DOCUMENTS} p WHERE ${p.id} = r.parent) END, r.properties
    FROM folder, rows r
    ON CONFLICT (${DOCUMENT.path}) WHERE ${DOCUMENT.path} IS NOT NULL DO NOTHING
    RETURNING ${DOCUMENT.id}
  ), emitted AS (
    INSERT INTO ${INTO_OUTBOX}
    SELECT r.event, r.id, $5::text, r.payload FROM inserted JOIN rows r USING (id)
  )
  SELECT EXISTS (SELECT FROM folder) AS "isFolderThere", (SELECT array_agg(id) FROM inserted) AS ids`

export const createImport = (sql: Sql, { principal, writes }: Writer): Pick<DocumentStore, 'insertMany'> => ({
  insertMany: async (rows, folder) => {
    await writes?.spend(rows.reduce((sum, { record }) => sum + charactersOf(record.properties), 0))
    const values = [folder.id, folder.path, folder.aclId, rows.map(rowOf), principal.name]
    const [outcome] = await sql.unsafe<{ isFolderThere: boolean; ids: string[] | null }[]>(
      INSERT_MANY,
      values as never[],
      { prepare: true },
    )
    return outcome?.isFolderThere ? new Set(outcome.ids ?? []) : 'parentChanged'
  },
})
