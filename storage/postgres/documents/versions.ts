import type { Outbox, VersionStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { recordColumns } from './rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/**
 * Versions are ordered by their numbers, which only grow in a series. Their instants are those at which units of
 * work began, and a unit that waited for another one may have begun before it.
 */
export const createVersions = (sql: Sql, outbox: Outbox): VersionStore => ({
  list: async (seriesId) => named(sql)<DocumentRecord[]>`
    SELECT ${recordColumns(sql)} FROM ${DOCUMENTS} d
    WHERE ${d.versionSeriesId} = ${seriesId} AND ${d.isVersion}
    ORDER BY ${d.majorVersion}, ${d.minorVersion}`,

  latest: async (seriesId) => {
    const [row] = await named(sql)<DocumentRecord[]>`
      SELECT ${recordColumns(sql)} FROM ${DOCUMENTS} d
      WHERE ${d.versionSeriesId} = ${seriesId} AND ${d.isVersion}
      ORDER BY ${d.majorVersion} DESC, ${d.minorVersion} DESC LIMIT 1`
    return row
  },

  markLatest: async (version) => {
    await named(sql)`
      UPDATE ${DOCUMENTS} SET
        ${DOCUMENT.isLatestVersion} = false,
        ${DOCUMENT.isLatestMajorVersion} = ${DOCUMENT.isLatestMajorVersion} AND NOT ${version.isLatestMajorVersion}
      WHERE ${DOCUMENT.versionSeriesId} = ${version.versionSeriesId} AND (${DOCUMENT.isLatestVersion} OR ${DOCUMENT.isLatestMajorVersion})`
  },

  remove: async (version, events) => {
    await named(sql)`DELETE FROM ${DOCUMENTS} WHERE ${DOCUMENT.id} = ${version.id}`
    await named(sql)`
      WITH ranked AS (
        SELECT ${DOCUMENT.id}, ${DOCUMENT.minorVersion} = 0 AS is_major,
               row_number() OVER (ORDER BY ${DOCUMENT.majorVersion} DESC, ${DOCUMENT.minorVersion} DESC) AS rank,
               row_number() OVER (PARTITION BY ${DOCUMENT.minorVersion} = 0
                 ORDER BY ${DOCUMENT.majorVersion} DESC) AS rank_among_kind
        FROM ${DOCUMENTS} WHERE ${DOCUMENT.versionSeriesId} = ${version.versionSeriesId} AND ${DOCUMENT.isVersion}
      )
      UPDATE ${DOCUMENTS} d SET
        ${DOCUMENT.isLatestVersion} = (ranked.rank = 1),
        ${DOCUMENT.isLatestMajorVersion} = (ranked.is_major AND ranked.rank_among_kind = 1)
      FROM ranked WHERE ${d.id} = ranked.id
        AND (${d.isLatestVersion}, ${d.isLatestMajorVersion})
            IS DISTINCT FROM (ranked.rank = 1, ranked.is_major AND ranked.rank_among_kind = 1)`
    await outbox.emit(events)
  },
})
