import type { Receipts } from '../../../core/automation/run-store/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'

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

  ofItems: async ({ workflowId, step }) => {
    const rows = await sql<{ result: PropertyValue }[]>`
      SELECT result FROM receipts WHERE workflow_id = ${workflowId} AND step ~ ${`^${step}/[0-9]+$`}
      ORDER BY split_part(step, '/', 2)::int`
    return rows.map(({ result }) => result)
  },
})
