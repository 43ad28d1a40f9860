import { asc, count, desc, type SQL, sql as text } from 'drizzle-orm'
import type { PgRemoteDatabase } from 'drizzle-orm/pg-proxy'
import type { AuditOrder, AuditStore, LogEntry } from '../../../core/content/stores/index.js'
import { auditEntries } from '../../../schema/audit.js'
import { type Sql, typed } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { placeOf, testOf } from './conditions.js'

/** Name of the cursor of the outbox of whatever writes the audit. */
export const AUDIT_CURSOR = 'audit'

const ENTRIES = tableOf(auditEntries)
const e = columnsOf(auditEntries)

/** Where no key decides, entries have the order of the last one, by their ids. */
const orderingOf = (order: AuditOrder): SQL[] => {
  const isAscending = order.at(-1)?.isAscending ?? false
  return [...order, { field: { column: 'id' } as const, isAscending }].map((key) =>
    key.isAscending ? asc(placeOf(key.field)) : desc(placeOf(key.field)),
  )
}

/** Matches, counted no further than to a limit. */
const countOf = async (db: PgRemoteDatabase, where: SQL | undefined, limit: number | undefined) => {
  const matching = db
    .select({ one: text`1`.as('one') })
    .from(auditEntries)
    .where(where)
  const counted = (limit === undefined ? matching : matching.limit(limit)).as('counted')
  const [row] = await db.select({ total: count() }).from(counted)
  return row?.total ?? 0
}

export const createAuditStore = (sql: Sql): AuditStore => {
  const db = typed(sql)
  return {
    write: async (entries) => {
      if (entries.length === 0) return
      await named(sql)`
        INSERT INTO ${ENTRIES} (${e.eventId}, ${e.category}, ${e.principalName}, ${e.comment}, ${e.docLifeCycle},
          ${e.docPath}, ${e.docType}, ${e.docUUID}, ${e.repositoryId}, ${e.eventDate}, ${e.extended})
        SELECT "eventId", category, "principalName", comment, "docLifeCycle", "docPath", "docType", "docUUID",
          "repositoryId", "eventDate", extended
        FROM jsonb_to_recordset(${sql.json(entries.map((entry, rank) => ({ ...entry, rank })) as never)}) AS n(
          rank int, "eventId" text, category text, "principalName" text, comment text, "docLifeCycle" text,
          "docPath" text, "docType" text, "docUUID" text, "repositoryId" text, "eventDate" timestamptz, extended jsonb)
        ORDER BY rank`
    },

    find: async (where, { order, limit, offset, countAtMost }) => {
      const test = where && testOf(where)
      const rows = await db
        .select()
        .from(auditEntries)
        .where(test)
        .orderBy(...orderingOf(order))
        .limit(limit)
        .offset(offset)
      return {
        entries: rows.map(({ extended, ...row }) => ({ ...row, extended: extended as LogEntry['extended'] })),
        total: await countOf(db, test, countAtMost === undefined ? undefined : countAtMost + 1),
      }
    },
  }
}
