import { type ItemFailure, KEPT_FAILURES } from '../../../core/automation/language/index.js'
import type { Cursor, Iterations, StoredIteration } from '../../../core/automation/run-store/index.js'
import { type WriteAccount, weightOf } from '../../../core/platform/limits/index.js'
import { loopFailures, loopProgress } from '../../../schema/execution.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const [LOOPS, FAILURES] = [tableOf(loopProgress), tableOf(loopFailures)]
const LOOP = columnsOf(loopProgress)
const l = columnsOf(loopProgress, 'l')
const FAILURE = columnsOf(loopFailures)
const f = columnsOf(loopFailures, 'f')

/** Each item of a loop sends it: a whole text, like the most frequent statements on documents. */
const SAVE_CURSOR = `
  UPDATE ${LOOPS}
  SET ${LOOP.position} = $3::int + 1, ${LOOP.failed} = ${LOOP.failed} + $4::int, ${LOOP.updatedAt} = now()
  WHERE ${LOOP.workflowId} = $1 AND ${LOOP.step} = $2 AND ${LOOP.position} = $3::int`

const isAmong = (sql: Sql, positions: readonly number[] | undefined) =>
  positions ? named(sql)`AND ${FAILURE.position} = ANY(${[...positions]}::int[])` : sql``

export const createIterations = (sql: Sql, writes?: WriteAccount): Iterations => ({
  cursor: async ({ workflowId, step }) => {
    const [row] = await named(sql)<Cursor[]>`
      SELECT ${LOOP.position} AS position, ${LOOP.total} AS total, ${LOOP.failed} AS failed,
        ${LOOP.entered} AS entered, ${LOOP.variables} AS "handedOn"
      FROM ${LOOPS} WHERE ${LOOP.workflowId} = ${workflowId} AND ${LOOP.step} = ${step}`
    return row
  },

  begin: async ({ workflowId, step }, { total, entered }) => {
    await writes?.spend(weightOf(entered))
    const { count } = await named(sql)`
      INSERT INTO ${LOOPS} (${LOOP.workflowId}, ${LOOP.step}, ${LOOP.position}, ${LOOP.total}, ${LOOP.entered})
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
    await named(sql)`
      UPDATE ${LOOPS} SET ${LOOP.total} = ${total}, ${LOOP.documentId} = ${documentId}, ${LOOP.updatedAt} = now()
      WHERE ${LOOP.workflowId} = ${workflowId} AND ${LOOP.step} = ${step} AND ${LOOP.position} = ${position}`
  },

  handOn: async ({ workflowId, step }, state) => {
    await writes?.spend(weightOf(state))
    await named(sql)`
      UPDATE ${LOOPS} SET ${LOOP.variables} = ${sql.json(state as never)}
      WHERE ${LOOP.workflowId} = ${workflowId} AND ${LOOP.step} = ${step}`
  },

  stop: async ({ workflowId, step }, failure) => {
    await named(sql)`
      UPDATE ${LOOPS} SET ${LOOP.stopped} = ${sql.json(failure)}, ${LOOP.updatedAt} = now()
      WHERE ${LOOP.workflowId} = ${workflowId} AND ${LOOP.step} = ${step} AND ${LOOP.position} = ${failure.position}`
  },

  ofRun: (workflowId) => named(sql)<StoredIteration[]>`
    SELECT ${l.step} AS step, ${l.position} AS position, ${l.total} AS total, ${l.failed} AS failed,
      CASE WHEN (${l.stopped} ->> 'position')::int = ${l.position} THEN ${l.stopped} END AS stopped,
      ${l.documentId} AS "documentId",
      (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'position', ${f.position}, 'status', ${f.status}, 'message', ${f.message}, 'id', ${f.documentId}))
          ORDER BY ${f.position}), '[]')
        FROM (
          SELECT * FROM ${FAILURES} WHERE ${FAILURE.workflowId} = ${l.workflowId} AND ${FAILURE.step} = ${l.step}
          ORDER BY ${FAILURE.position} LIMIT ${KEPT_FAILURES}) AS f) AS failures
    FROM ${LOOPS} l WHERE ${l.workflowId} = ${workflowId}`,

  addFailure: async ({ workflowId, step }, { position, status, message, id = null }) => {
    await named(sql)`
      INSERT INTO ${FAILURES} (${FAILURE.workflowId}, ${FAILURE.step}, ${FAILURE.position}, ${FAILURE.status},
        ${FAILURE.message}, ${FAILURE.documentId})
      VALUES (${workflowId}, ${step}, ${position}, ${status}, ${message}, ${id})`
  },

  failures: async ({ workflowId, step }, { after = -1, upTo, among, limit }) => {
    const rows = await named(sql)<(ItemFailure & { id: string | null })[]>`
      SELECT ${FAILURE.position} AS position, ${FAILURE.status} AS status, ${FAILURE.message} AS message,
        ${FAILURE.documentId} AS id
      FROM ${FAILURES}
      WHERE ${FAILURE.workflowId} = ${workflowId} AND ${FAILURE.step} = ${step} AND ${FAILURE.position} > ${after}
        ${upTo === undefined ? sql`` : named(sql)`AND ${FAILURE.position} <= ${upTo}`}
        ${isAmong(sql, among)}
      ORDER BY ${FAILURE.position} LIMIT ${limit}`
    return rows.map(({ id, ...failure }) => ({ ...failure, ...(id !== null && { id }) }))
  },

  failedPositions: async ({ workflowId, step }, among) => {
    const rows = await named(sql)<{ position: number }[]>`
      SELECT ${FAILURE.position} AS position FROM ${FAILURES}
      WHERE ${FAILURE.workflowId} = ${workflowId} AND ${FAILURE.step} = ${step} ${isAmong(sql, among)}
      ORDER BY ${FAILURE.position}`
    return rows.map(({ position }) => position)
  },

  resolveFailure: async ({ workflowId, step }, position) => {
    const { count } = await named(sql)`
      WITH resolved AS (
        DELETE FROM ${FAILURES}
        WHERE ${FAILURE.workflowId} = ${workflowId} AND ${FAILURE.step} = ${step} AND ${FAILURE.position} = ${position}
        RETURNING ${FAILURE.workflowId} AS run, ${FAILURE.step} AS place)
      UPDATE ${LOOPS} l SET ${LOOP.failed} = ${l.failed} - 1, ${LOOP.updatedAt} = now()
      FROM resolved r WHERE ${l.workflowId} = r.run AND ${l.step} = r.place`
    return count === 1
  },

  renewFailure: async ({ workflowId, step }, { position, status, message }) => {
    await named(sql)`
      UPDATE ${FAILURES} SET ${FAILURE.status} = ${status}, ${FAILURE.message} = ${message}
      WHERE ${FAILURE.workflowId} = ${workflowId} AND ${FAILURE.step} = ${step} AND ${FAILURE.position} = ${position}`
  },
})
