import { and, desc, eq, getTableColumns, gte, inArray, isNotNull, isNull, lt, sql as text } from 'drizzle-orm'
import type { RunFailure } from '../../../core/automation/language/index.js'
import type { EndedInlineRun, InlineRequest, InlineRuns } from '../../../core/automation/run-store/index.js'
import { type WriteAccount, weightOf } from '../../../core/platform/limits/index.js'
import { inlineRuns } from '../../../schema/execution.js'
import { type Sql, typed } from '../connection/index.js'
import { columnsOf, tableOf } from '../rows/index.js'

const RUNS = tableOf(inlineRuns)
const RUN = columnsOf(inlineRuns)

const ON_CONFLICT = `
  ON CONFLICT (${RUN.runId}) DO UPDATE
  SET ${RUN.startedAt} = excluded.${RUN.startedAt}, ${RUN.closedAt} = excluded.${RUN.closedAt},
    ${RUN.failure} = NULL, ${RUN.request} = NULL
  WHERE r.${RUN.failure} IS NOT NULL`

/** Each inline run sends it: a whole text, like the most frequent statements on documents. */
const COMPLETE = `
  INSERT INTO ${RUNS} AS r (${RUN.runId}, ${RUN.chainId}, ${RUN.principal}, ${RUN.requestId}, ${RUN.documentId},
    ${RUN.title}, ${RUN.startedAt}, ${RUN.event}, ${RUN.closedAt})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, date_trunc('milliseconds', clock_timestamp()))
  ${ON_CONFLICT}`

/** The same for those of a page of events: each is a row of the JSON. */
const COMPLETE_ALL = `
  INSERT INTO ${RUNS} AS r (${RUN.runId}, ${RUN.chainId}, ${RUN.principal}, ${RUN.requestId}, ${RUN.documentId},
    ${RUN.title}, ${RUN.startedAt}, ${RUN.event}, ${RUN.closedAt})
  SELECT n."runId", n."chainId", n.principal, n."requestId", n."documentId", n.title, n."startedAt", n.event,
    date_trunc('milliseconds', clock_timestamp())
  FROM jsonb_to_recordset($1) AS n("runId" text, "chainId" text, principal text, "requestId" text,
    "documentId" text, title text, "startedAt" timestamptz, event text)
  ${ON_CONFLICT}`

/** Characters of what a failed run was asked, of which nobody is counted what is kept of it. */
const SMALL = 10_000

/** All but what a run was asked, which may be long. */
const { request: _, ...LISTED } = getTableColumns(inlineRuns)

type Listed = Omit<typeof inlineRuns.$inferSelect, 'request'>

const runOf = ({ documentId, event, failure, ...run }: Listed): EndedInlineRun => ({
  ...run,
  ...(event !== null && { event }),
  ...(documentId !== null && { documentId }),
  ...(failure !== null && { failure: failure as RunFailure }),
})

export const createInlineRuns = (sql: Sql, writes?: WriteAccount): InlineRuns => ({
  complete: async ({ runId, chainId, principal, requestId, documentId, title, startedAt, event }) => {
    const at = startedAt.toISOString()
    const values = [runId, chainId, principal, requestId, documentId ?? null, title, at, event ?? null]
    await sql.unsafe(COMPLETE, values, { prepare: true })
  },

  completeAll: async (runs) => {
    await sql.unsafe(COMPLETE_ALL, [sql.json(runs as never) as never], { prepare: true })
  },

  fail: async ({ startedAt, ...run }, failure, asked) => {
    const characters = writes ? weightOf(asked) : 0
    if (characters > SMALL) await writes?.spend(characters)
    const closedAt = text`date_trunc('milliseconds', clock_timestamp())`
    const ended = { startedAt, closedAt, failure, request: asked }
    await typed(sql)
      .insert(inlineRuns)
      .values({ ...run, ...ended })
      .onConflictDoUpdate({ target: inlineRuns.runId, set: ended, setWhere: isNotNull(inlineRuns.failure) })
  },

  find: async (runId) => {
    const [row] = await typed(sql).select().from(inlineRuns).where(eq(inlineRuns.runId, runId))
    if (!row) return undefined
    const { request: asked, ...listed } = row
    return { ...runOf(listed), ...(asked !== null && { request: asked as InlineRequest }) }
  },

  list: async ({ chainId, principal, documentIds, event, from, to, hasFailed }, { limit, before }) => {
    const isWanted = and(
      chainId === undefined ? undefined : eq(inlineRuns.chainId, chainId),
      principal === undefined ? undefined : eq(inlineRuns.principal, principal),
      documentIds === undefined ? undefined : inArray(inlineRuns.documentId, [...documentIds]),
      event === undefined ? undefined : eq(inlineRuns.event, event),
      from && gte(inlineRuns.startedAt, from),
      to && lt(inlineRuns.startedAt, to),
      hasFailed === undefined ? undefined : (hasFailed ? isNotNull : isNull)(inlineRuns.failure),
      before && lt(inlineRuns.closedAt, before),
    )
    const rows = await typed(sql)
      .select(LISTED)
      .from(inlineRuns)
      .where(isWanted)
      .orderBy(desc(inlineRuns.closedAt), desc(inlineRuns.runId))
      .limit(limit)
    return rows.map(runOf)
  },
})
