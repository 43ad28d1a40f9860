import { type BulkCommand, CHUNK_SIZE, KEPT_FAILURES } from '../../../core/automation/language/index.js'
import type { BulkStore } from '../../../core/automation/run-store/index.js'
import { bulkCommands, bulkFailures } from '../../../schema/bulk.js'
import { transientEntries } from '../../../schema/execution.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const [COMMANDS, FAILURES, ENTRIES] = [
  tableOf(bulkCommands),
  tableOf(bulkFailures),
  tableOf(transientEntries),
]
const c = columnsOf(bulkCommands)
const f = columnsOf(bulkFailures)
const ENTRY = columnsOf(transientEntries)

/** Whoever starts bulk commands listens here for what was just committed. */
export const BULK_CHANNEL = 'archivolt_bulk'

/** As long as the list of what a command is to do is kept. */
const DAYS_KEPT = 30

/** Each batch sends it. */
const ADVANCE = `
  UPDATE ${COMMANDS} SET ${c.processed} = ${c.processed} + $3::int
  WHERE ${c.id} = $1 AND ${c.processed} = $2::int AND ${c.state} = 'RUNNING'`

type Waiting = Awaited<ReturnType<BulkStore['waiting']>>[number]

/** Of the command that a statement reads. */
const FIRST_FAILURES = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('position', ${f.position}, 'id', ${f.documentId},
    'status', ${f.status}, 'message', ${f.message}) ORDER BY ${f.position}), '[]')
  FROM (
    SELECT * FROM ${FAILURES} WHERE ${f.commandId} = ${COMMANDS}.${c.id}
    ORDER BY ${f.position} LIMIT ${KEPT_FAILURES}) AS f)`

export const createBulkStore = (sql: Sql): BulkStore => ({
  submit: async ({ query, work, ...command }) => {
    await named(sql)`
      WITH notified AS (SELECT pg_notify(${BULK_CHANNEL}, ''))
      INSERT INTO ${COMMANDS} (${c.id}, ${c.principal}, ${c.requestId}, ${c.action}, ${c.query}, ${c.queryLimit},
        ${c.work}, ${c.bucketSize}, ${c.batchSize}, ${c.rate}, ${c.repairs})
      SELECT ${command.id}::uuid, ${command.principal}, ${command.requestId}, ${command.action},
        ${sql.json(query as never)}, ${command.queryLimit}::int, ${sql.json(work as never)},
        ${command.bucketSize}::int, ${command.batchSize}::int, ${command.rate}::int, ${command.repairs}::uuid
      FROM notified`
  },

  find: async (id) => {
    const [row] = await named(sql)<BulkCommand[]>`
      SELECT ${c.id} AS id, ${c.principal} AS principal, ${c.requestId} AS "requestId", ${c.action} AS action,
        ${c.query} AS query, ${c.queryLimit} AS "queryLimit", ${c.work} AS work, ${c.bucketSize} AS "bucketSize",
        ${c.batchSize} AS "batchSize", ${c.rate} AS rate, ${c.repairs} AS repairs, ${c.state} AS state,
        ${c.collected} AS collected, ${c.lastId} AS "lastId", ${c.processed} AS processed, ${c.failed} AS failed,
        ${sql.unsafe(FIRST_FAILURES)} AS failures, ${c.error} AS error, ${c.submittedAt} AS "submittedAt",
        ${c.scrollStartedAt} AS "scrollStartedAt", ${c.scrollEndedAt} AS "scrollEndedAt",
        ${c.completedAt} AS "completedAt", ${c.isStarted} AS "isStarted",
        NOT ${c.isStarted} AND xmin = pg_current_xact_id_if_assigned()::xid IS TRUE AS "isUncommitted"
      FROM ${COMMANDS} WHERE ${c.id} = ${id}`
    const dateOf = (value: Date | null): Date | null => value && new Date(value)
    return (
      row && {
        ...row,
        submittedAt: new Date(row.submittedAt),
        scrollStartedAt: dateOf(row.scrollStartedAt),
        scrollEndedAt: dateOf(row.scrollEndedAt),
        completedAt: dateOf(row.completedAt),
      }
    )
  },

  holdOpen: async (principal) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`bulk_commands ${principal}`}, 0))`
    const [open] = await named(sql)<{ count: number }[]>`
      SELECT count(*)::int AS count FROM ${COMMANDS}
      WHERE ${c.principal} = ${principal} AND ${c.completedAt} IS NULL`
    return open?.count ?? 0
  },

  collect: async (id, from, ids, { isLast }) => {
    const { count } = await named(sql)`
      UPDATE ${COMMANDS} SET ${c.collected} = ${c.collected} + ${ids.length}::int,
        ${c.lastId} = coalesce(${ids.at(-1) ?? null}, ${c.lastId}),
        ${c.state} = ${isLast ? 'RUNNING' : 'SCROLLING_RUNNING'},
        ${c.scrollStartedAt} = coalesce(${c.scrollStartedAt}, clock_timestamp()),
        ${c.scrollEndedAt} = CASE WHEN ${isLast} THEN clock_timestamp() END
      WHERE ${c.id} = ${id} AND ${c.collected} = ${from} AND ${c.state} IN ('SCHEDULED', 'SCROLLING_RUNNING')`
    if (count === 0) return false
    const chunks: object[] = []
    for (let at = 0; at < ids.length; at += CHUNK_SIZE) {
      const value = ids.slice(at, at + CHUNK_SIZE)
      chunks.push({ chunk: (from + at) / CHUNK_SIZE, value, bytes: JSON.stringify(value).length })
    }
    if (chunks.length > 0)
      await named(sql)`
        INSERT INTO ${ENTRIES} (${ENTRY.key}, ${ENTRY.chunk}, ${ENTRY.value}, ${ENTRY.bytes}, ${ENTRY.expiresAt})
        SELECT ${id}, r.chunk, r.value, r.bytes, now() + make_interval(days => ${DAYS_KEPT})
        FROM jsonb_to_recordset(${sql.json(chunks as never)}) AS r(chunk int, value jsonb, bytes bigint)`
    return true
  },

  advance: async (id, from, { count, failure }) => {
    if (!failure) {
      const moved = await sql.unsafe(ADVANCE, [id, from, count], { prepare: true })
      return moved.count === 1
    }
    const recorded = await named(sql)`
      WITH moved AS (
        UPDATE ${COMMANDS} SET ${c.processed} = ${c.processed} + ${count}::int, ${c.failed} = ${c.failed} + 1
        WHERE ${c.id} = ${id} AND ${c.processed} = ${from} AND ${c.state} = 'RUNNING' RETURNING ${c.id} AS id)
      INSERT INTO ${FAILURES} (${f.commandId}, ${f.position}, ${f.documentId}, ${f.status}, ${f.message})
      SELECT id, ${failure.position}::int, ${failure.id}::uuid, ${failure.status}::int, ${failure.message}
      FROM moved`
    return recorded.count === 1
  },

  end: async (id, state, error) => {
    const { count } = await named(sql)`
      UPDATE ${COMMANDS} SET ${c.state} = ${state}, ${c.error} = ${error ?? null}, ${c.completedAt} = clock_timestamp()
      WHERE ${c.id} = ${id} AND ${c.state} NOT IN ('COMPLETED', 'ABORTED')`
    return count === 1
  },

  resume: async (id) => {
    const { count } = await named(sql)`
      WITH notified AS (SELECT pg_notify(${BULK_CHANNEL}, ''))
      UPDATE ${COMMANDS} SET ${c.error} = NULL, ${c.completedAt} = NULL, ${c.isStarted} = false,
        ${c.state} = CASE WHEN ${c.scrollEndedAt} IS NOT NULL THEN 'RUNNING'
          WHEN ${c.scrollStartedAt} IS NOT NULL THEN 'SCROLLING_RUNNING' ELSE 'SCHEDULED' END
      FROM notified WHERE ${c.id} = ${id} AND ${c.state} = 'ABORTED'`
    return count === 1
  },

  failures: (id, { after, limit }) => named(sql)<BulkCommand['failures'][number][]>`
    SELECT ${f.position} AS position, ${f.documentId} AS id, ${f.status} AS status, ${f.message} AS message
    FROM ${FAILURES} WHERE ${f.commandId} = ${id} AND ${f.position} > ${after}
    ORDER BY ${f.position} LIMIT ${limit}`,

  failedIds: async (id, positions) => {
    const among = positions ? named(sql)`AND ${f.position} = ANY(${[...positions]}::int[])` : sql``
    const found = await named(sql)<{ id: string }[]>`
      SELECT ${f.documentId} AS id FROM ${FAILURES} WHERE ${f.commandId} = ${id} ${among} ORDER BY ${f.position}`
    return found.map((failure) => failure.id)
  },

  resolveFailures: async (id, documentIds) => {
    const struck = await named(sql)<{ id: string }[]>`
      WITH struck AS (
        DELETE FROM ${FAILURES}
        WHERE ${f.commandId} = ${id} AND ${f.documentId} = ANY(${[...documentIds]}::uuid[])
        RETURNING ${f.documentId} AS id),
      counted AS (
        UPDATE ${COMMANDS} SET ${c.failed} = ${c.failed} - (SELECT count(*) FROM struck)
        WHERE ${c.id} = ${id} AND EXISTS (SELECT FROM struck))
      SELECT id FROM struck`
    return struck.map((failure) => failure.id)
  },

  renewFailure: async (id, { id: documentId, status, message }) => {
    await named(sql)`
      UPDATE ${FAILURES} SET ${f.status} = ${status}, ${f.message} = ${message}
      WHERE ${f.commandId} = ${id} AND ${f.documentId} = ${documentId}`
  },

  waiting: () => named(sql)<Waiting[]>`
    SELECT ${c.id} AS id, ${c.principal} AS principal, ${c.requestId} AS "requestId", ${c.action} AS action,
      ${c.repairs} AS repairs, ${c.eventDepth} AS "eventDepth"
    FROM ${COMMANDS}
    WHERE NOT ${c.isStarted} ORDER BY ${c.submittedAt} LIMIT 1000`,

  markStarted: async (id) => {
    await named(sql)`UPDATE ${COMMANDS} SET ${c.isStarted} = true WHERE ${c.id} = ${id}`
  },
})
