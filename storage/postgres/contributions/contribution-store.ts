import {
  type ContributionStore,
  type ContributionVersion,
  type NewContributionVersion,
  NO_MARK,
} from '../../../core/platform/contributions/index.js'
import type { Database, Sql } from '../connection/index.js'
import { MARK_OF_CREATION } from '../rows/index.js'

/** One channel for all extension points; the payload says nothing, readers ask the table. */
const CHANNEL = 'archivolt_contributions'

const MARK = `${MARK_OF_CREATION} AS mark`

const COLUMNS = `
  point, name, version, source, format, content, is_deleted AS "isDeleted", author, created_at AS "createdAt", ${MARK}`

/** Sent for each call of a chain, so that its text is not put together anew. */
const CHANGED_SINCE = `
  SELECT * FROM (
    SELECT DISTINCT ON (point, name) ${COLUMNS} FROM contributions
    WHERE created_at > $1::text::timestamptz
    ORDER BY point, name, version DESC
  ) AS newest ORDER BY mark`

/**
 * Keeps contributions in the table `contributions`. The time of a version is its mark: writers queue on a lock
 * until they have committed, and each takes a time after the one before it, even when the clock was set back.
 * So marks become visible in their order.
 */
export const createContributionStore = ({ sql, aside, transaction }: Database): ContributionStore => ({
  newest: async (point, name) => {
    const [row] = await sql<ContributionVersion[]>`
      SELECT ${sql.unsafe(COLUMNS)} FROM contributions
      WHERE point = ${point} AND name = ${name} ORDER BY version DESC LIMIT 1`
    return row
  },

  version: async (point, name, version) => {
    const [row] = await sql<ContributionVersion[]>`
      SELECT ${sql.unsafe(COLUMNS)} FROM contributions
      WHERE point = ${point} AND name = ${name} AND version = ${version}`
    return row
  },

  versions: async (point, name) => sql<ContributionVersion[]>`
    SELECT ${sql.unsafe(COLUMNS)} FROM contributions
    WHERE point = ${point} AND name = ${name} ORDER BY version DESC`,

  firstOfText: async ({ point, name, format, source }) => {
    const [row] = await sql<{ version: number | null }[]>`
      SELECT min(version) AS version FROM contributions
      WHERE point = ${point} AND name = ${name} AND NOT is_deleted AND format = ${format} AND source = ${source}`
    return row?.version ?? undefined
  },

  changedSince: async (mark) => {
    const after = mark === NO_MARK ? '-infinity' : mark
    return aside.unsafe<ContributionVersion[]>(CHANGED_SINCE, [after], { prepare: true })
  },

  append: (basis, versions) =>
    transaction(async (tx) => {
      // With its own number before its mark: events of a later moment have a higher one, and wait for its end.
      await tx`SELECT pg_advisory_xact_lock(hashtextextended(${CHANNEL}, 0)), pg_current_xact_id()`
      // A statement of its own, so that it sees what was committed while this one waited for the lock.
      const [latest] = await tx<{ mark: string }[]>`
        SELECT ${tx.unsafe(MARK)} FROM contributions ORDER BY created_at DESC LIMIT 1`
      if ((latest?.mark ?? NO_MARK) !== basis) return undefined
      const rows: ContributionVersion[] = []
      for (const version of versions) rows.push(await insert(tx, version))
      await tx`SELECT pg_notify(${CHANNEL}, '')`
      return rows
    }),

  listen: async (onChange) => {
    const { unlisten } = await sql.listen(CHANNEL, onChange, onChange)
    return unlisten
  },
})

const insert = async (tx: Sql, version: NewContributionVersion): Promise<ContributionVersion> => {
  const { point, name, source, format, content, isDeleted, author } = version
  const [row] = await tx<ContributionVersion[]>`
    INSERT INTO contributions (point, name, version, source, format, content, is_deleted, author, created_at)
    VALUES (
      ${point}, ${name},
      (SELECT coalesce(max(version), 0) + 1 FROM contributions WHERE point = ${point} AND name = ${name}),
      ${source}, ${format}, ${JSON.stringify(content)}::text::jsonb, ${isDeleted}, ${author},
      greatest(
        clock_timestamp(),
        (SELECT max(created_at) FROM contributions) + interval '1 microsecond'
      )
    )
    RETURNING ${tx.unsafe(COLUMNS)}`
  if (!row) throw new Error('A version was inserted, but not returned')
  return row
}
