import { KEPT_FAILURES, type LoopFailure } from '../../../core/automation/language/index.js'
import type {
  LoopPosition,
  PackedState,
  Receipts,
  StoredLoop,
} from '../../../core/automation/run-store/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'

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
      INSERT INTO loop_failures (workflow_id, step, position, status, message, document_id)
      SELECT workflow_id, step, ${failure.position}::int, ${failure.status}::int, ${failure.message}, ${failure.id ?? null}
      FROM moved`
    return recorded.count === 1
  },

  walkTo: async ({ workflowId, step }, { position, total, documentId = null }, entered) => {
    if (position === 0) {
      await sql`
        INSERT INTO loop_progress (workflow_id, step, position, total, entered, document_id)
        VALUES (${workflowId}, ${step}, 0, ${total}, ${sql.json(entered as never)}, ${documentId})
        ON CONFLICT DO NOTHING`
      return
    }
    // What is done again, or late, comes to where the loop has been before.
    await sql`
      UPDATE loop_progress SET position = ${position}, total = ${total}, document_id = ${documentId}, updated_at = now()
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position <= ${position}`
  },

  walk: async ({ workflowId, step }) => {
    const [row] = await sql<{ position: number; entered: PackedState }[]>`
      SELECT position, entered FROM loop_progress
      WHERE workflow_id = ${workflowId} AND step = ${step} AND entered IS NOT NULL`
    return row
  },

  passOver: async ({ workflowId, step }, { position, status, message, id = null }) => {
    await sql`
      WITH passed AS (
        INSERT INTO loop_failures (workflow_id, step, position, status, message, document_id)
        SELECT workflow_id, step, ${position}::int, ${status}::int, ${message}, ${id}
        FROM loop_progress WHERE workflow_id = ${workflowId} AND step = ${step}
        ON CONFLICT DO NOTHING
        RETURNING workflow_id, step)
      UPDATE loop_progress l SET failed = failed + 1, updated_at = now()
      FROM passed p WHERE l.workflow_id = p.workflow_id AND l.step = p.step`
  },

  keepRepaired: async ({ workflowId, step }, { position, total, failed }) => {
    await sql`
      INSERT INTO loop_progress (workflow_id, step, position, total, failed)
      VALUES (${workflowId}, ${step}, ${position}, ${total}, ${failed})
      ON CONFLICT (workflow_id, step) DO UPDATE
      SET position = EXCLUDED.position, total = EXCLUDED.total, failed = EXCLUDED.failed, updated_at = now()`
  },

  stopLoop: async ({ workflowId, step }, failure) => {
    await sql`
      UPDATE loop_progress SET stopped = ${sql.json(failure)}, updated_at = now()
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${failure.position}`
  },

  loops: (workflowId) => sql<StoredLoop[]>`
    SELECT step, position, total, failed, CASE WHEN (stopped ->> 'position')::int = position THEN stopped END AS stopped,
      entered IS NOT NULL AS "isWalk", document_id AS "documentId",
      (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'position', f.position, 'status', f.status, 'message', f.message, 'id', f.document_id))
          ORDER BY f.position), '[]')
        FROM (
          SELECT * FROM loop_failures WHERE workflow_id = l.workflow_id AND step = l.step
          ORDER BY position LIMIT ${KEPT_FAILURES}) AS f) AS failures
    FROM loop_progress l WHERE workflow_id = ${workflowId}`,

  loopFailures: async ({ workflowId, step }, { after = -1, among, limit }) => {
    const rows = await sql<(LoopFailure & { id: string | null })[]>`
      SELECT position, status, message, document_id AS id FROM loop_failures
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position > ${after}
        ${among ? sql`AND position = ANY(${[...among]}::int[])` : sql``}
      ORDER BY position LIMIT ${limit}`
    return rows.map(({ id, ...failure }) => ({ ...failure, ...(id !== null && { id }) }))
  },

  countFailures: async ({ workflowId, step }, { from, among }) => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM loop_failures
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position >= ${from}
        ${among ? sql`AND position = ANY(${[...among]}::int[])` : sql``}`
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
