import { KEPT_FAILURES, type LoopPosition, type Receipts } from '../../../core/automation/index.js'
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

  loopPosition: async ({ workflowId, step }) => {
    await sql`
      INSERT INTO loop_progress (workflow_id, step, position) VALUES (${workflowId}, ${step}, 0)
      ON CONFLICT DO NOTHING`
    const [row] = await sql<LoopPosition[]>`
      SELECT position, failed, failures, variables FROM loop_progress WHERE workflow_id = ${workflowId} AND step = ${step}`
    return row ?? { position: 0, failed: 0, failures: [], variables: null }
  },

  advanceLoop: async ({ workflowId, step }, from, { failure } = {}) => {
    if (!failure) {
      const { count } = await sql.unsafe(ADVANCE, [workflowId, step, from], { prepare: true })
      return count === 1
    }
    const { count } = await sql`
      UPDATE loop_progress
      SET position = ${from + 1}, failed = failed + 1, updated_at = now(),
          failures = CASE WHEN failed < ${KEPT_FAILURES}::int THEN failures || ${sql.json([failure] as never)} ELSE failures END
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${from}`
    return count === 1
  },

  loops: async (workflowId) => {
    return sql<({ step: string } & Pick<LoopPosition, 'position' | 'failed' | 'failures'>)[]>`
      SELECT step, position, failed, failures FROM loop_progress WHERE workflow_id = ${workflowId}`
  },

  claimFailure: async ({ workflowId, step }, position) => {
    const { count } = await sql`
      UPDATE loop_progress
      SET failed = failed - 1, updated_at = now(),
          failures = (
            SELECT coalesce(jsonb_agg(failure ORDER BY place), '[]')
            FROM jsonb_array_elements(failures) WITH ORDINALITY AS known (failure, place)
            WHERE failure ->> 'position' <> ${position}::int::text)
      WHERE workflow_id = ${workflowId} AND step = ${step} AND failures @> ${sql.json([{ position }])}`
    return count === 1
  },

  renewFailure: async ({ workflowId, step }, failure) => {
    await sql`
      UPDATE loop_progress
      SET updated_at = now(),
          failures = (
            SELECT jsonb_agg(
              CASE WHEN known ->> 'position' = ${failure.position}::int::text
                THEN ${sql.json(failure as never)} ELSE known END ORDER BY place)
            FROM jsonb_array_elements(failures) WITH ORDINALITY AS listed (known, place))
      WHERE workflow_id = ${workflowId} AND step = ${step}
        AND failures @> ${sql.json([{ position: failure.position }])}`
  },

  keepLoopVariables: async ({ workflowId, step }, variables) => {
    await sql`
      UPDATE loop_progress SET variables = ${sql.json(variables as never)}
      WHERE workflow_id = ${workflowId} AND step = ${step}`
  },
})
