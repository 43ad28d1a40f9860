import { type ItemFailure, KEPT_FAILURES } from '../../../core/automation/language/index.js'
import type { Cursor, Iterations, StoredIteration } from '../../../core/automation/run-store/index.js'
import type { Sql } from '../connection/index.js'

/** Each item of a loop sends it: a whole text, like the most frequent statements on documents. */
const SAVE_CURSOR = `
  UPDATE loop_progress SET position = $3::int + 1, failed = failed + $4::int, updated_at = now()
  WHERE workflow_id = $1 AND step = $2 AND position = $3::int`

export const createIterations = (sql: Sql): Iterations => ({
  cursor: async ({ workflowId, step }) => {
    const [row] = await sql<Cursor[]>`
      SELECT position, total, failed, entered, variables AS "handedOn"
      FROM loop_progress WHERE workflow_id = ${workflowId} AND step = ${step}`
    return row
  },

  begin: async ({ workflowId, step }, { total, entered }) => {
    const { count } = await sql`
      INSERT INTO loop_progress (workflow_id, step, position, total, entered)
      VALUES (${workflowId}, ${step}, 0, ${total}, ${entered === null ? null : sql.json(entered as never)})
      ON CONFLICT DO NOTHING`
    return count === 1
  },

  saveCursor: async ({ workflowId, step }, position, { hasFailed } = { hasFailed: false }) => {
    const { count } = await sql.unsafe(SAVE_CURSOR, [workflowId, step, position, hasFailed ? 1 : 0], {
      prepare: true,
    })
    return count === 1
  },

  enterItem: async ({ workflowId, step }, { position, total, documentId }) => {
    await sql`
      UPDATE loop_progress SET total = ${total}, document_id = ${documentId}, updated_at = now()
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${position}`
  },

  handOn: async ({ workflowId, step }, state) => {
    await sql`
      UPDATE loop_progress SET variables = ${sql.json(state as never)}
      WHERE workflow_id = ${workflowId} AND step = ${step}`
  },

  stop: async ({ workflowId, step }, failure) => {
    await sql`
      UPDATE loop_progress SET stopped = ${sql.json(failure)}, updated_at = now()
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${failure.position}`
  },

  ofRun: (workflowId) => sql<StoredIteration[]>`
    SELECT step, position, total, failed, CASE WHEN (stopped ->> 'position')::int = position THEN stopped END AS stopped,
      document_id AS "documentId",
      (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'position', f.position, 'status', f.status, 'message', f.message, 'id', f.document_id))
          ORDER BY f.position), '[]')
        FROM (
          SELECT * FROM loop_failures WHERE workflow_id = l.workflow_id AND step = l.step
          ORDER BY position LIMIT ${KEPT_FAILURES}) AS f) AS failures
    FROM loop_progress l WHERE workflow_id = ${workflowId}`,

  addFailure: async ({ workflowId, step }, { position, status, message, id = null }) => {
    await sql`
      INSERT INTO loop_failures (workflow_id, step, position, status, message, document_id)
      VALUES (${workflowId}, ${step}, ${position}, ${status}, ${message}, ${id})`
  },

  failures: async ({ workflowId, step }, { after = -1, upTo, among, limit }) => {
    const rows = await sql<(ItemFailure & { id: string | null })[]>`
      SELECT position, status, message, document_id AS id FROM loop_failures
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position > ${after}
        ${upTo === undefined ? sql`` : sql`AND position <= ${upTo}`}
        ${among ? sql`AND position = ANY(${[...among]}::int[])` : sql``}
      ORDER BY position LIMIT ${limit}`
    return rows.map(({ id, ...failure }) => ({ ...failure, ...(id !== null && { id }) }))
  },

  failedPositions: async ({ workflowId, step }, among) => {
    const rows = await sql<{ position: number }[]>`
      SELECT position FROM loop_failures WHERE workflow_id = ${workflowId} AND step = ${step}
        ${among ? sql`AND position = ANY(${[...among]}::int[])` : sql``}
      ORDER BY position`
    return rows.map(({ position }) => position)
  },

  resolveFailure: async ({ workflowId, step }, position) => {
    const { count } = await sql`
      WITH resolved AS (
        DELETE FROM loop_failures
        WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${position}
        RETURNING workflow_id, step)
      UPDATE loop_progress l SET failed = failed - 1, updated_at = now()
      FROM resolved r WHERE l.workflow_id = r.workflow_id AND l.step = r.step`
    return count === 1
  },

  renewFailure: async ({ workflowId, step }, { position, status, message }) => {
    await sql`
      UPDATE loop_failures SET status = ${status}, message = ${message}
      WHERE workflow_id = ${workflowId} AND step = ${step} AND position = ${position}`
  },
})
