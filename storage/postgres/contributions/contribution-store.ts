import { and, desc, eq, getTableColumns, min, not, type SQL, sql as text } from 'drizzle-orm'
import {
  type ContributionStore,
  type ContributionVersion,
  type NewContributionVersion,
  NO_MARK,
} from '../../../core/platform/contributions/index.js'
import { contributions } from '../../../schema/contributions.js'
import { type Database, type Sql, typed } from '../connection/index.js'
import { columnsOf, markOf, tableOf } from '../rows/index.js'

/** One channel for all extension points; the payload says nothing, readers ask the table. */
const CHANNEL = 'archivolt_contributions'

const CONTRIBUTIONS = tableOf(contributions)
const CONTRIBUTION = columnsOf(contributions)
const MARK = markOf(CONTRIBUTION.createdAt)

const { point: POINT, name: NAME, version: VERSION } = contributions
const mark = text.raw(MARK) as SQL<string>
const ROW = { ...getTableColumns(contributions), mark }

/** Sent for each call of a chain: a whole text, so that it is not put together again. */
const CHANGED_SINCE = `
  SELECT * FROM (
    SELECT DISTINCT ON (${CONTRIBUTION.point}, ${CONTRIBUTION.name})
      ${Object.entries(CONTRIBUTION)
        .map(([key, column]) => `${column} AS "${key}"`)
        .join(', ')}, ${MARK} AS mark
    FROM ${CONTRIBUTIONS} WHERE ${CONTRIBUTION.createdAt} > $1::text::timestamptz
    ORDER BY ${CONTRIBUTION.point}, ${CONTRIBUTION.name}, ${CONTRIBUTION.version} DESC
  ) AS newest ORDER BY mark`

const isNamed = (point: string, name: string) => and(eq(POINT, point), eq(NAME, name))

/**
 * Keeps contributions in the table `contributions`. The time of a version is its mark: writers queue on a lock
 * until they have committed, and each takes a time after the one before it, even when the clock was set back.
 * So marks become visible in their order.
 */
export const createContributionStore = ({
  sql,
  aside,
  transaction,
  listening,
}: Database): ContributionStore => {
  const db = typed(sql)
  const versions = (point: string, name: string) =>
    db.select(ROW).from(contributions).where(isNamed(point, name)).orderBy(desc(VERSION))
  return {
    newest: async (point, name) => {
      const [row] = await versions(point, name).limit(1)
      return row as ContributionVersion | undefined
    },

    version: async (point, name, version) => {
      const [row] = await db
        .select(ROW)
        .from(contributions)
        .where(and(isNamed(point, name), eq(VERSION, version)))
      return row as ContributionVersion | undefined
    },

    versions: async (point, name) => (await versions(point, name)) as ContributionVersion[],

    firstOfText: async ({ point, name, format, source }) => {
      const { isDeleted, format: FORMAT, source: SOURCE } = contributions
      const [row] = await db
        .select({ version: min(VERSION) })
        .from(contributions)
        .where(and(isNamed(point, name), not(isDeleted), eq(FORMAT, format), eq(SOURCE, source)))
      return row?.version ?? undefined
    },

    changedSince: async (known) => {
      const after = known === NO_MARK ? '-infinity' : known
      return aside.unsafe<ContributionVersion[]>(CHANGED_SINCE, [after], { prepare: true })
    },

    append: (basis, added) =>
      transaction(async (tx) => {
        // With its own number before its mark: events of a later moment have a higher one, and wait for its end.
        await tx`SELECT pg_advisory_xact_lock(hashtextextended(${CHANNEL}, 0)), pg_current_xact_id()`
        // A statement of its own, so that it sees what was committed while this one waited for the lock.
        const [latest] = await typed(tx)
          .select({ mark })
          .from(contributions)
          .orderBy(desc(contributions.createdAt))
          .limit(1)
        if ((latest?.mark ?? NO_MARK) !== basis) return undefined
        const rows: ContributionVersion[] = []
        for (const version of added) rows.push(await insert(tx, version))
        await tx`SELECT pg_notify(${CHANNEL}, '')`
        return rows
      }),

    listen: (onChange) => listening.listen(CHANNEL, onChange, onChange),
  }
}

const insert = async (tx: Sql, version: NewContributionVersion): Promise<ContributionVersion> => {
  const db = typed(tx)
  const { point, name } = version
  const last = db
    .select({ version: text`coalesce(max(${VERSION}), 0) + 1` })
    .from(contributions)
    .where(isNamed(point, name))
  const latest = db
    .select({ at: text`max(${contributions.createdAt}) + interval '1 microsecond'` })
    .from(contributions)
  const [row] = await db
    .insert(contributions)
    .values({
      ...version,
      // Nothing is a content too, and is no missing one.
      content: text`${JSON.stringify(version.content)}::text::jsonb`,
      version: text`${last}`,
      createdAt: text`greatest(clock_timestamp(), ${latest})`,
    })
    .returning(ROW)
  if (!row) throw new Error('A version was inserted, but not returned')
  return row as ContributionVersion
}
