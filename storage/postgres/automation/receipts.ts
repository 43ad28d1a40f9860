import {
  KEPT_FAILURES,
  type LoopFailure,
  type LoopPosition,
  type Receipts,
  type StoredLoop,
} from '../../../core/automation/index.js'
import type { PropertyValue } from '../../../core/documents/index.js'
import type { Sql } from '../database.js'

/** Each element of a loop sends it: a whole text, like the most frequent statements on documents. */
const ADVANCE = `
  UPDATE loop_progress SET position = $3::int + 1, updated_at = now()
  WHERE workflow_id = $1 AND step = $2 AND position = $3::int`

export const createReceipts = (sql: Sql): Receipts => ({
  find: async ({ workflowId, step }) => {
    const [row] = await sql<{ result: PropertyValue }[]>`
      SELECT result FROM receipts WHERE workflow_id = ${workflowId} AND step = ${step}`
    return row?.result
  },

  record: async ({ workflowId, step }, result) => {
    const { count } = await sql`
      INSERT INTO receipts (workflow_id, step, result) VALUES (${workflowId}, ${step}, ${sql.json(result as never)})
      ON CONFLICT DO NOTHING`
    return count === 1
  },

  loopPosition: async ({ workflowId, step }, total) => {
    await sql`
      INSERT INTO loop_progress (workflow_id, step, position, total) VALUES (${workflowId}, ${step}, 0, ${total})
      ON CONFLICT DO NOTHING`
    const [row] = await sql<LoopPosition[]>`
      SELECT position, failed, variables FROM loop_progress WHERE workflow_id = ${workflowId} AND step = ${step}`
    return row ?? { position: 0, failed: 0, variables: null }
  },

  advanceLoop: async ({ workflowId, step }, from, { failure } = {}) => {
    if (!failure) {
      const { count } = await sql.unsafe(ADVANCE, [workflowId, step, from], { prepare: true })
      return count === 1
    }
    const recorded = await sql`
      WITH moved AS (
        UPDATE loop_progress SET position = ${from + 1}, failed = failed + 1, updated_at = now()
        WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${from}
        RETURNING workflow_id, step)
      INSERT INTO loop_failures (workflow_id, step, position, status, message)
      SELECT workflow_id, step, ${failure.position}::int, ${failure.status}::int, ${failure.message}
      FROM moved`
    return recorded.count === 1
  },

  stopLoop: async ({ workflowId, step }, failure) => {
    await sql`
      UPDATE loop_progress SET stopped = ${sql.json(failure)}, updated_at = now()
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${failure.position}`
  },

  loops: (workflowId) => sql<StoredLoop[]>`
    SELECT step, position, total, failed, CASE WHEN (stopped ->> 'position')::int = position THEN stopped END AS stopped,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('position', f.position, 'status', f.status, 'message', f.message)
          ORDER BY f.position), '[]')
        FROM (
          SELECT * FROM loop_failures WHERE workflow_id = l.workflow_id AND step = l.step
          ORDER BY position LIMIT ${KEPT_FAILURES}) AS f) AS failures
    FROM loop_progress l WHERE workflow_id = ${workflowId}`,

  loopFailures: ({ workflowId, step }, { after = -1, among, limit }) => sql<LoopFailure[]>`
    SELECT position, status, message FROM loop_failures
    WHERE workflow_id = ${workflowId} AND step = ${step} AND position > ${after}
      ${among ? sql`AND position = ANY(${[...among]}::int[])` : sql``}
    ORDER BY position LIMIT ${limit}`,

  countFailures: async ({ workflowId, step }, from) => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM loop_failures
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position >= ${from}`
    return row?.count ?? 0
  },

  claimFailure: async ({ workflowId, step }, position) => {
    const { count } = await sql`
      WITH struck AS (
        DELETE FROM loop_failures
        WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${position}
        RETURNING workflow_id, step)
      UPDATE loop_progress l SET failed = failed - 1, updated_at = now()
      FROM struck s WHERE l.workflow_id = s.workflow_id AND l.step = s.step`
    return count === 1
  },

  renewFailure: async ({ workflowId, step }, { position, status, message }) => {
    await sql`
      UPDATE loop_failures SET status = ${status}, message = ${message}
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${position}`
  },

  keepLoopVariables: async ({ workflowId, step }, variables) => {
    await sql`
      UPDATE loop_progress SET variables = ${sql.json(variables as never)}
      WHERE workflow_id = ${workflowId} AND step = ${step}`
  },
})
