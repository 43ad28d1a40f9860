import type { Outbox, VersionStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'
import { recordColumns } from './rows.js'

/**
 * Versions are ordered by their numbers, which only grow in a series. Their instants are those at which units of
 * work began, and a unit that waited for another one may have begun before it.
 */
export const createVersions = (sql: Sql, outbox: Outbox): VersionStore => ({
  list: async (seriesId) => sql<DocumentRecord[]>`
    SELECT ${recordColumns(sql)} FROM documents d
    WHERE d.version_series_id = ${seriesId} AND d.is_version
    ORDER BY d.major_version, d.minor_version`,

  latest: async (seriesId) => {
    const [row] = await sql<DocumentRecord[]>`
      SELECT ${recordColumns(sql)} FROM documents d
      WHERE d.version_series_id = ${seriesId} AND d.is_version
      ORDER BY d.major_version DESC, d.minor_version DESC LIMIT 1`
    return row
  },

  markLatest: async (version) => {
    await sql`
      UPDATE documents SET
        is_latest_version = false,
        is_latest_major_version = is_latest_major_version AND NOT ${version.isLatestMajorVersion}
      WHERE version_series_id = ${version.versionSeriesId} AND (is_latest_version OR is_latest_major_version)`
  },

  remove: async (version, events) => {
    await sql`DELETE FROM documents WHERE id = ${version.id}`
    await sql`
      WITH ranked AS (
        SELECT id, minor_version = 0 AS is_major,
               row_number() OVER (ORDER BY major_version DESC, minor_version DESC) AS rank,
               row_number() OVER (PARTITION BY minor_version = 0
                 ORDER BY major_version DESC) AS rank_among_kind
        FROM documents WHERE version_series_id = ${version.versionSeriesId} AND is_version
      )
      UPDATE documents d SET
        is_latest_version = (ranked.rank = 1),
        is_latest_major_version = (ranked.is_major AND ranked.rank_among_kind = 1)
      FROM ranked WHERE d.id = ranked.id
        AND (d.is_latest_version, d.is_latest_major_version)
            IS DISTINCT FROM (ranked.rank = 1, ranked.is_major AND ranked.rank_among_kind = 1)`
    await outbox.emit(events)
  },
})
