import { KEPT_FAILURES, type LoopPosition, type Receipts } from '../../../core/automation/index.js'
import type { PropertyValue } from '../../../core/documents/index.js'
import type { Sql } from '../database.js'

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
    const failures = failure ? [failure] : []
    const { count } = await sql`
      UPDATE loop_progress
      SET position = ${from + 1}, failed = failed + ${failures.length}::int, updated_at = now(),
          failures = CASE WHEN failed < ${KEPT_FAILURES}::int THEN failures || ${sql.json(failures as never)} ELSE failures END
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${from}`
    return count === 1
  },

  keepLoopVariables: async ({ workflowId, step }, variables) => {
    await sql`
      UPDATE loop_progress SET variables = ${sql.json(variables as never)}
      WHERE workflow_id = ${workflowId} AND step = ${step}`
  },
})
