import { expect, test } from 'vitest'
import { queryOf } from './query.js'

const at = new Date(Date.UTC(2026, 0, 2))
const ANY =
  "TaskQueue = 'queue' AND WorkflowType IN ('chain', 'scheduledChain', 'bulk') AND ParentWorkflowId IS NULL"

test.each([
  [{ isRunning: true, filter: {} }, `${ANY} AND ExecutionStatus = 'Running'`],
  [
    { isRunning: true, filter: {}, before: at },
    `${ANY} AND ExecutionStatus = 'Running' AND StartTime < '2026-01-02T00:00:00.000Z'`,
  ],
  [
    { isRunning: false, filter: {} },
    `${ANY} AND ExecutionStatus != 'Running' AND ExecutionStatus != 'ContinuedAsNew'`,
  ],
  [
    { isRunning: false, filter: { state: 'CANCELLED' as const, principal: 'ann' }, before: at },
    `${ANY} AND Principal = 'ann' AND ExecutionStatus = 'Canceled' AND CloseTime < '2026-01-02T00:00:00.000Z'`,
  ],
  [
    { isRunning: true, filter: { execution: 'bulk' as const, chainId: "it's" } },
    "TaskQueue = 'queue' AND WorkflowType IN ('bulk') AND ParentWorkflowId IS NULL AND ChainId = 'it''s' AND ExecutionStatus = 'Running'",
  ],
])('the query for %j', (half, query) => {
  expect(queryOf({ ...half, limit: 10 }, 'queue')).toBe(query)
})
