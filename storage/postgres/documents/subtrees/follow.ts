import type { Followed, SubtreeStore } from '../../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { documents } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, INTO_OUTBOX, named, tableOf, type Writer } from '../../rows/index.js'
import { ROW_CHARACTERS } from '../counting.js'
import { below, isGranted } from '../rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')
const latest = columnsOf(documents, 'latest')

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
    writes,
  }: Parameters<SubtreeStore['followTransition']>[1] & Writer,
): Promise<Followed[]> => {
  if (root.path === null) return []
  const step = named(sql)`
    SELECT * FROM jsonb_to_recordset(${sql.json(table)}) AS t(type text, "from" text, "to" text)`
  const isFollowing = named(sql)`${below(sql, root.path)} AND NOT ${d.isProxy} AND ${isGranted(sql, granted)}`
  if (writes) {
    // What is checked out takes other numbers of versions, which are among its properties.
    const [row] = await named(sql)<{ characters: number }[]>`
      SELECT coalesce(sum(${ROW_CHARACTERS}::int +
        CASE WHEN ${d.isCheckedIn} THEN pg_column_size(${d.properties}) ELSE 0 END), 0)::float8 AS characters
      FROM ${DOCUMENTS} d JOIN (${step}) step ON step.type = ${d.type} AND step."from" = ${d.lifecycleState}
      WHERE ${isFollowing}`
    await writes.spend(row!.characters)
  }
  return named(sql)<Followed[]>`
    WITH step AS (${step}), held AS (
      SELECT ${d.id}, ${d.lifecycleState}, ${d.isCheckedIn}, step."to"
      FROM ${DOCUMENTS} d JOIN step ON step.type = ${d.type} AND step."from" = ${d.lifecycleState}
      WHERE ${isFollowing}
      ORDER BY ${d.path} FOR NO KEY UPDATE OF d
    ), changed AS (
      UPDATE ${DOCUMENTS} d SET
        ${DOCUMENT.lifecycleState} = held."to",
        ${DOCUMENT.isCheckedIn} = false,
        ${DOCUMENT.majorVersion} = coalesce(${latest.majorVersion}, ${d.majorVersion}),
        ${DOCUMENT.minorVersion} = coalesce(${latest.minorVersion}, ${d.minorVersion}),
        -- Where no number changes, the value itself: a large one is then not written again.
        ${DOCUMENT.properties} = CASE WHEN ${latest.majorVersion} IS NOT NULL AND ${d.properties} ? 'uid:major_version'
          THEN ${d.properties} || jsonb_build_object(
            'uid:major_version', ${latest.majorVersion}, 'uid:minor_version', ${latest.minorVersion})
          ELSE ${d.properties} END,
        ${DOCUMENT.systemToken} = ${d.systemToken} + 1
      FROM held LEFT JOIN ${DOCUMENTS} latest
        ON held.is_checked_in AND ${latest.versionSeriesId} = held.id AND ${latest.isLatestVersion}
      WHERE ${d.id} = held.id
      RETURNING ${d.id}, ${d.type}, ${d.path}, ${d.parentId}, ${d.systemToken}, held.lifecycle_state AS "from", held."to", held.is_checked_in
    ), emitted AS (
      INSERT INTO ${INTO_OUTBOX}
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
