import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { scheduleIdOf } from '../../worker/index.js'
import { quoted } from './list-runs.js'

/** Runs of chains that go on and that a user has begun by calls. */
export type OpenRuns = {
  /** Ids of some of them, as Temporal's visibility tells: a moment late. */
  list(username: string, limit: number): Promise<string[]>
  /** Whether a run goes on, or has not begun yet, as it is at this moment. */
  isOpen(runId: string): Promise<boolean>
}

/** What ids of runs begin with that nobody has called: those of event handlers, and of schedules. */
const reserved = (taskQueue: string): string[] => ['event-', scheduleIdOf(taskQueue, '')]

/** An id for a run that somebody has called, which is not taken for one that nobody has, whatever its chain is called. */
export const calledRunId = (runId: string, taskQueue: string): string =>
  reserved(taskQueue).some((prefix) => runId.startsWith(prefix)) ? `run-${runId}` : runId

/** Those of event handlers, schedules and other runs are none of their user's doing. */
const openRunsQuery = (username: string, taskQueue: string): string =>
  [
    "WorkflowType = 'chain'",
    "ExecutionStatus = 'Running'",
    'ParentWorkflowId IS NULL',
    `TaskQueue = ${quoted(taskQueue)}`,
    `Principal = ${quoted(username)}`,
    ...reserved(taskQueue).map((prefix) => `WorkflowId NOT STARTS_WITH ${quoted(prefix)}`),
  ].join(' AND ')

const MOST_PAGE = 1_000

/** Finds open runs of users in Temporal. */
export const createOpenRuns = (client: Client, taskQueue: string): OpenRuns => ({
  list: async (username, limit) => {
    const query = openRunsQuery(username, taskQueue)
    const found: string[] = []
    for await (const { workflowId } of client.workflow.list({
      query,
      pageSize: Math.min(limit, MOST_PAGE),
    })) {
      found.push(workflowId)
      if (found.length >= limit) break
    }
    return found
  },
  isOpen: async (runId) => {
    try {
      const { status } = await client.workflow.getHandle(runId).describe()
      return status.name === 'RUNNING'
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return true
      throw error
    }
  },
})
