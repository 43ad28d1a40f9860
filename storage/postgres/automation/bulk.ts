import { type BulkCommand, CHUNK_SIZE, KEPT_FAILURES } from '../../../core/automation/language/index.js'
import type { BulkStore } from '../../../core/automation/run-store/index.js'
import type { Sql } from '../connection/index.js'

/** Whoever starts bulk commands listens here for what was just committed. */
export const BULK_CHANNEL = 'archivolt_bulk'

/** As long as the list of what a command is to do is kept. */
const DAYS_KEPT = 30

/** Each batch sends it. */
const ADVANCE = `
  UPDATE bulk_commands SET processed = processed + $3::int
  WHERE id = $1 AND processed = $2::int AND state = 'RUNNING'`

type Waiting = Awaited<ReturnType<BulkStore['waiting']>>[number]

/** Of the command that a statement reads. */
const firstFailures = (sql: Sql) => sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'position', f.position, 'id', f.document_id, 'status', f.status, 'message', f.message) ORDER BY f.position), '[]')
  FROM (SELECT * FROM bulk_failures WHERE command_id = bulk_commands.id ORDER BY position LIMIT ${KEPT_FAILURES}) AS f)`

export const createBulkStore = (sql: Sql): BulkStore => ({
  submit: async ({ query, work, ...command }) => {
    await sql`
      WITH told AS (SELECT pg_notify(${BULK_CHANNEL}, ''))
      INSERT INTO bulk_commands (
        id, principal, request_id, action, query, query_limit, work, bucket_size, batch_size, rate, repairs)
      SELECT ${command.id}::uuid, ${command.principal}, ${command.requestId}, ${command.action},
        ${sql.json(query as never)}, ${command.queryLimit}::int, ${sql.json(work as never)},
        ${command.bucketSize}::int, ${command.batchSize}::int, ${command.rate}::int, ${command.repairs}::uuid
      FROM told`
  },

  find: async (id) => {
    const [row] = await sql<BulkCommand[]>`
      SELECT id, principal, request_id AS "requestId", action, query, query_limit AS "queryLimit", work,
        bucket_size AS "bucketSize", batch_size AS "batchSize", rate, repairs, state, collected,
        last_id AS "lastId", processed, failed, ${firstFailures(sql)} AS failures, error, submitted_at AS "submittedAt",
        scroll_started_at AS "scrollStartedAt", scroll_ended_at AS "scrollEndedAt",
        completed_at AS "completedAt", is_started AS "isStarted",
        NOT is_started AND xmin = pg_current_xact_id_if_assigned()::xid IS TRUE AS "isUncommitted"
      FROM bulk_commands WHERE id = ${id}`
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
    const [open] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM bulk_commands WHERE principal = ${principal} AND completed_at IS NULL`
    return open?.count ?? 0
  },

  collect: async (id, from, ids, { isLast }) => {
    const { count } = await sql`
      UPDATE bulk_commands SET collected = collected + ${ids.length}::int,
        last_id = coalesce(${ids.at(-1) ?? null}, last_id),
        state = ${isLast ? 'RUNNING' : 'SCROLLING_RUNNING'},
        scroll_started_at = coalesce(scroll_started_at, clock_timestamp()),
        scroll_ended_at = CASE WHEN ${isLast} THEN clock_timestamp() END
      WHERE id = ${id} AND collected = ${from} AND state IN ('SCHEDULED', 'SCROLLING_RUNNING')`
    if (count === 0) return false
    const chunks: object[] = []
    for (let at = 0; at < ids.length; at += CHUNK_SIZE) {
      const value = ids.slice(at, at + CHUNK_SIZE)
      chunks.push({ chunk: (from + at) / CHUNK_SIZE, value, bytes: JSON.stringify(value).length })
    }
    if (chunks.length > 0)
      await sql`
        INSERT INTO transient_entries (key, chunk, value, bytes, expires_at)
        SELECT ${id}, r.chunk, r.value, r.bytes, now() + make_interval(days => ${DAYS_KEPT})
        FROM jsonb_to_recordset(${sql.json(chunks as never)}) AS r(chunk int, value jsonb, bytes bigint)`
    return true
  },

  advance: async (id, from, { count, failure }) => {
    if (!failure) {
      const moved = await sql.unsafe(ADVANCE, [id, from, count], { prepare: true })
      return moved.count === 1
    }
    const recorded = await sql`
      WITH moved AS (
        UPDATE bulk_commands SET processed = processed + ${count}::int, failed = failed + 1
        WHERE id = ${id} AND processed = ${from} AND state = 'RUNNING' RETURNING id)
      INSERT INTO bulk_failures (command_id, position, document_id, status, message)
      SELECT id, ${failure.position}::int, ${failure.id}::uuid, ${failure.status}::int, ${failure.message}
      FROM moved`
    return recorded.count === 1
  },

  end: async (id, state, error) => {
    const { count } = await sql`
      UPDATE bulk_commands SET state = ${state}, error = ${error ?? null}, completed_at = clock_timestamp()
      WHERE id = ${id} AND state NOT IN ('COMPLETED', 'ABORTED')`
    return count === 1
  },

  resume: async (id) => {
    const { count } = await sql`
      WITH told AS (SELECT pg_notify(${BULK_CHANNEL}, ''))
      UPDATE bulk_commands SET error = NULL, completed_at = NULL, is_started = false,
        state = CASE WHEN scroll_ended_at IS NOT NULL THEN 'RUNNING'
          WHEN scroll_started_at IS NOT NULL THEN 'SCROLLING_RUNNING' ELSE 'SCHEDULED' END
      FROM told WHERE id = ${id} AND state = 'ABORTED'`
    return count === 1
  },

  failures: (id, { after, limit }) => sql<BulkCommand['failures'][number][]>`
    SELECT position, document_id AS id, status, message FROM bulk_failures
    WHERE command_id = ${id} AND position > ${after} ORDER BY position LIMIT ${limit}`,

  failedIds: async (id, positions) => {
    const among = positions ? sql`AND position = ANY(${[...positions]}::int[])` : sql``
    const found = await sql<{ id: string }[]>`
      SELECT document_id AS id FROM bulk_failures WHERE command_id = ${id} ${among} ORDER BY position`
    return found.map((failure) => failure.id)
  },

  resolveFailures: async (id, documentIds) => {
    const struck = await sql<{ id: string }[]>`
      WITH struck AS (
        DELETE FROM bulk_failures WHERE command_id = ${id} AND document_id = ANY(${[...documentIds]}::uuid[])
        RETURNING document_id),
      counted AS (
        UPDATE bulk_commands SET failed = failed - (SELECT count(*) FROM struck)
        WHERE id = ${id} AND EXISTS (SELECT FROM struck))
      SELECT document_id AS id FROM struck`
    return struck.map((failure) => failure.id)
  },

  renewFailure: async (id, { id: documentId, status, message }) => {
    await sql`
      UPDATE bulk_failures SET status = ${status}, message = ${message}
      WHERE command_id = ${id} AND document_id = ${documentId}`
  },

  waiting: () => sql<Waiting[]>`
    SELECT id, principal, request_id AS "requestId", action, repairs, event_depth AS "eventDepth"
    FROM bulk_commands
    WHERE NOT is_started ORDER BY submitted_at LIMIT 1000`,

  markStarted: async (id) => {
    await sql`UPDATE bulk_commands SET is_started = true WHERE id = ${id}`
  },
})
