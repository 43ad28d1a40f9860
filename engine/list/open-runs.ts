import { type OpenRuns, uncalledPrefixes } from '../../core/automation/runs/index.js'
import { readable, type Temporal } from '../client/index.js'
import { statusOf } from '../describe/index.js'
import { conversionsQuery, quoted } from './query.js'

/** Runs of event handlers, schedules and other runs are none of their user's doing. */
const openRunsQuery = (username: string, taskQueue: string): string =>
  [
    "WorkflowType = 'chain'",
    "ExecutionStatus = 'Running'",
    'ParentWorkflowId IS NULL',
    `TaskQueue = ${quoted(taskQueue)}`,
    `Principal = ${quoted(username)}`,
    ...uncalledPrefixes(taskQueue).map((prefix) => `WorkflowId NOT STARTS_WITH ${quoted(prefix)}`),
  ].join(' AND ')

const MAX_PAGE = 1_000

const openConversionsQuery = (username: string, taskQueue: string): string =>
  `${conversionsQuery(username, taskQueue)} AND ExecutionStatus = 'Running'`

/** Finds open runs of users in Temporal. */
export const createOpenRuns = (temporal: Temporal): OpenRuns => openOnes(temporal, openRunsQuery)

/** Finds open conversions of users in Temporal. */
export const createOpenConversions = (temporal: Temporal): OpenRuns =>
  openOnes(temporal, openConversionsQuery)

const openOnes = (
  { client, taskQueue }: Temporal,
  queryOf: (username: string, taskQueue: string) => string,
): OpenRuns => ({
  list: (username, limit) =>
    readable(client, async ({ workflow }) => {
      const query = queryOf(username, taskQueue)
      const pageSize = Math.min(limit, MAX_PAGE)
      const found: string[] = []
      for await (const { workflowId } of workflow.list({ query, pageSize })) {
        found.push(workflowId)
        if (found.length >= limit) break
      }
      return found
    }),
  isOpen: async (runId) => {
    const status = await statusOf(client, runId)
    return status === undefined || status === 'RUNNING'
  },
})
