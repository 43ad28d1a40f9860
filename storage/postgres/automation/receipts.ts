import type { Receipts } from '../../../core/automation/run-store/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import { type WriteAccount, weightOf } from '../../../core/platform/limits/index.js'
import { receipts } from '../../../schema/execution.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const RECEIPTS = tableOf(receipts)
const RECEIPT = columnsOf(receipts)

/** What a step takes beside its result: its rows, and what Temporal keeps of it. */
const STEP_CHARACTERS = 1_000

export const createReceipts = (sql: Sql, writes?: WriteAccount): Receipts => ({
  find: async ({ workflowId, step }) => {
    const [row] = await named(sql)<{ result: PropertyValue }[]>`
      SELECT ${RECEIPT.result} AS result FROM ${RECEIPTS}
      WHERE ${RECEIPT.workflowId} = ${workflowId} AND ${RECEIPT.step} = ${step}`
    return row?.result
  },

  record: async ({ workflowId, step }, result) => {
    await writes?.spend(STEP_CHARACTERS + weightOf(result))
    const { count } = await named(sql)`
      INSERT INTO ${RECEIPTS} (${RECEIPT.workflowId}, ${RECEIPT.step}, ${RECEIPT.result})
      VALUES (${workflowId}, ${step}, ${sql.json(result as never)})
      ON CONFLICT DO NOTHING`
    return count === 1
  },

  recordAll: async (recorded) => {
    await writes?.spend(recorded.reduce((sum, { result }) => sum + STEP_CHARACTERS + weightOf(result), 0))
    const rows = recorded.map(({ key: { workflowId, step }, result }) => ({ workflowId, step, result }))
    const { count } = await named(sql)`
      INSERT INTO ${RECEIPTS} (${RECEIPT.workflowId}, ${RECEIPT.step}, ${RECEIPT.result})
      SELECT r."workflowId", r.step, r.result
      FROM jsonb_to_recordset(${sql.json(rows as never)}) AS r("workflowId" text, step text, result jsonb)
      ORDER BY r."workflowId" COLLATE "C", r.step
      ON CONFLICT DO NOTHING`
    return count === rows.length
  },

  ofItems: async ({ workflowId, step }) => {
    const rows = await named(sql)<{ result: PropertyValue }[]>`
      SELECT ${RECEIPT.result} AS result FROM ${RECEIPTS}
      WHERE ${RECEIPT.workflowId} = ${workflowId} AND ${RECEIPT.step} ~ ${`^${step}/[0-9]+$`}
      ORDER BY split_part(${RECEIPT.step}, '/', 2)::int`
    return rows.map(({ result }) => result)
  },
})
