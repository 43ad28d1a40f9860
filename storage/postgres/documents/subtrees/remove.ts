import type { Subtree } from '../../../../core/content/stores/index.js'
import { documents } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'
import { NO_SCOPE, within } from '../rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')
const l = columnsOf(documents, 'l')
const p = columnsOf(documents, 'p')
const v = columnsOf(documents, 'v')

/** Whether a proxy is outside of a subtree. */
const isElsewhere = (sql: Sql, { id, path, from }: Subtree) => {
  const inside = named(sql)`starts_with(${p.path}, ${`${path}/`})`
  return from === undefined
    ? named(sql)`NOT (${p.id} = ${id} OR ${inside})`
    : named(sql)`NOT (${p.path} >= ${from} AND ${inside})`
}

/** How many proxies outside of a subtree show a live document inside. */
export const countProxiesFromOutside = async (sql: Sql, root: Subtree): Promise<number> => {
  const [row] = await named(sql)<{ count: number }[]>`
    SELECT count(*)::int AS count
    FROM ${DOCUMENTS} d JOIN ${DOCUMENTS} p ON ${p.proxyTargetId} = ${d.id}
    WHERE ${within(sql, root)}
      AND ${isElsewhere(sql, root)}`
  return row?.count ?? 0
}

/** Removes a locked subtree with its versions, but for those that a proxy elsewhere still shows. */
export const removeSubtree = async (sql: Sql, root: Subtree): Promise<void> => {
  // Held, so that of two who remove the last proxies of a series at once the second sees the first's work.
  await named(sql)`
    SELECT FROM ${DOCUMENTS} v
    WHERE ${v.isVersion} AND ${v.versionSeriesId} IN (
      SELECT ${d.proxyVersionSeriesId} FROM ${DOCUMENTS} d
      WHERE ${d.proxyVersionSeriesId} IS NOT NULL AND ${within(sql, root)})
    ORDER BY ${v.id} FOR UPDATE OF v`
  // Versions that outlive their document are the administrators' (reference: security.md §7).
  await named(sql)`
    UPDATE ${DOCUMENTS} v SET ${DOCUMENT.scopeId} = ${NO_SCOPE} FROM ${DOCUMENTS} d
    WHERE ${within(sql, root)} AND ${v.versionSeriesId} = ${d.id} AND EXISTS (
      SELECT FROM ${DOCUMENTS} p WHERE ${p.proxyVersionSeriesId} = ${d.id}
        AND ${isElsewhere(sql, root)})`
  await named(sql)`
    WITH gone AS (
      DELETE FROM ${DOCUMENTS} d WHERE ${within(sql, root)} RETURNING ${d.id}, ${d.proxyVersionSeriesId}
    ), series AS (
      SELECT id FROM gone UNION SELECT proxy_version_series_id FROM gone WHERE proxy_version_series_id IS NOT NULL
    )
    DELETE FROM ${DOCUMENTS} v USING series
    WHERE ${v.versionSeriesId} = series.id
      AND (EXISTS (SELECT FROM gone WHERE gone.id = series.id)
           OR NOT EXISTS (SELECT FROM ${DOCUMENTS} l WHERE ${l.id} = series.id))
      AND NOT EXISTS (
        SELECT FROM ${DOCUMENTS} p
        WHERE ${p.proxyVersionSeriesId} = series.id AND NOT EXISTS (SELECT FROM gone WHERE gone.id = ${p.id}))`
}
