import type { SubtreeCopy } from '../../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import type { WriteAccount } from '../../../../core/platform/limits/index.js'
import { documents } from '../../../../schema/documents.js'
import type { RefuseWaiting, Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'
import { ROW_CHARACTERS } from '../counting.js'
import { isGranted, isPathTaken, recordColumns, within } from '../rows.js'
import { MAX_SHORT, withoutTimeLimit } from './lock.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')
const p = columnsOf(documents, 'p')
const s = columnsOf(documents, 's')
const t = columnsOf(documents, 't')

/** As they are stored: whoever repeats a text a thousand times in a document is counted what it takes. */
const countCopied = async (
  sql: Sql,
  root: DocumentRecord,
  { withChildren, writes }: { withChildren: boolean; writes: WriteAccount },
): Promise<void> => {
  const isCopied = withChildren ? within(sql, root) : named(sql)`${d.id} = ${root.id}`
  const [row] = await named(sql)<{ characters: number }[]>`
    SELECT coalesce(sum(pg_column_size(${d.properties}) + ${ROW_CHARACTERS}::int), 0)::float8 AS characters
    FROM ${DOCUMENTS} d WHERE ${isCopied}`
  await writes.spend(row!.characters)
}

/** Copies a subtree as far as it may be read; undefined when the path is taken. */
export const copySubtree = async (
  sql: Sql,
  root: DocumentRecord,
  copy: SubtreeCopy & { refuseWaiting: RefuseWaiting; writes?: WriteAccount | undefined },
): Promise<DocumentRecord | undefined> => {
  const { parent, name, path, position, readable, properties, initialStates, withChildren } = copy
  const { refuseWaiting, writes } = copy
  if (await isPathTaken(sql, path)) return undefined
  if (withChildren) await withoutTimeLimit(sql)
  if (writes) await countCopied(sql, root, { withChildren, writes })
  const refusing = refuseWaiting(sql)
  // Held, so that a copied proxy repeats what its target holds when the copy is there.
  await named(sql)`
    SELECT FROM ${DOCUMENTS} t
    WHERE ${t.id} IN (
      SELECT ${d.proxyTargetId} FROM ${DOCUMENTS} d WHERE ${d.proxyTargetId} IS NOT NULL AND ${within(sql, root)})
    ORDER BY ${t.id} FOR SHARE OF t`
  const { count } = await named(sql)`
    WITH RECURSIVE source AS (
      SELECT d.*, gen_random_uuid() AS new_id, ${parent.id}::uuid AS new_parent_id, ${path}::text AS new_path
      FROM ${DOCUMENTS} d WHERE ${d.id} = ${root.id}
      UNION ALL
      SELECT d.*, gen_random_uuid(), s.new_id, s.new_path || '/' || ${d.name}
      FROM ${DOCUMENTS} d JOIN source s ON ${d.parentId} = ${s.id}
      WHERE ${d.type} <> 'Comments' AND ${isGranted(sql, readable)} AND ${withChildren}
        AND (NOT ${d.isTrashed} OR ${root.isTrashed})
    )
    INSERT INTO ${DOCUMENTS} (
      ${DOCUMENT.id}, ${DOCUMENT.parentId}, ${DOCUMENT.name}, ${DOCUMENT.path}, ${DOCUMENT.position}, ${DOCUMENT.type}, ${DOCUMENT.facets}, ${DOCUMENT.isTrashed}, ${DOCUMENT.scopeId}, ${DOCUMENT.isProxy}, ${DOCUMENT.proxyTargetId},
      ${DOCUMENT.proxyVersionSeriesId}, ${DOCUMENT.lifecycleState}, ${DOCUMENT.isCheckedIn}, ${DOCUMENT.majorVersion}, ${DOCUMENT.minorVersion}, ${DOCUMENT.versionLabel},
      ${DOCUMENT.versionDescription}, ${DOCUMENT.versionCreatedAt}, ${DOCUMENT.isLatestVersion}, ${DOCUMENT.isLatestMajorVersion}, ${DOCUMENT.baseVersionId},
      ${DOCUMENT.lockOwner}, ${DOCUMENT.lockedAt}, ${DOCUMENT.userToken}, ${DOCUMENT.properties})
    SELECT new_id, new_parent_id, CASE WHEN ${DOCUMENT.id} = ${root.id} THEN ${name}::text ELSE ${DOCUMENT.name} END, new_path,
           CASE WHEN ${DOCUMENT.id} = ${root.id} THEN ${position}::int ELSE ${DOCUMENT.position} END, ${DOCUMENT.type}, ${DOCUMENT.facets},
           ${parent.isTrashed}::boolean, (SELECT ${p.scopeId} FROM ${DOCUMENTS} p WHERE ${p.id} = ${parent.id}), ${DOCUMENT.isProxy}, ${DOCUMENT.proxyTargetId}, ${DOCUMENT.proxyVersionSeriesId},
           CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.lifecycleState} ELSE ${sql.json(initialStates as never)} ->> ${DOCUMENT.type} END,
           ${DOCUMENT.isProxy} AND ${DOCUMENT.isCheckedIn},
           CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.majorVersion} ELSE 0 END, CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.minorVersion} ELSE 0 END,
           CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.versionLabel} END, CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.versionDescription} END,
           CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.versionCreatedAt} END, ${DOCUMENT.isProxy} AND ${DOCUMENT.isLatestVersion},
           ${DOCUMENT.isProxy} AND ${DOCUMENT.isLatestMajorVersion}, CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.baseVersionId} END,
           CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.lockOwner} END, CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.lockedAt} END,
           CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.userToken} ELSE 0 END,
           CASE WHEN ${DOCUMENT.isProxy} THEN ${DOCUMENT.properties}
                ELSE (${DOCUMENT.properties} - ARRAY['uid:major_version', 'uid:minor_version']) ||
                  CASE WHEN ${DOCUMENT.properties} ? 'dc:created' THEN ${sql.json(properties as never)} ELSE '{}'::jsonb END
           END
    FROM source`
  if (count <= MAX_SHORT) refusing.stop()
  const [copied] = await named(sql)<DocumentRecord[]>`
    SELECT ${recordColumns(sql)} FROM ${DOCUMENTS} d WHERE ${d.path} = ${path}`
  return copied
}
