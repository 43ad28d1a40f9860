import type { WorkflowExecutionDescription } from '@temporalio/client'
import { requireRetryable } from '../../core/automation/runs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Temporal } from '../client/index.js'
import { eventsOf, inputOf, resetPoint } from '../history/index.js'
import { restart } from '../start/index.js'

/** `RESET_REAPPLY_EXCLUDE_TYPE_CANCEL_REQUEST` of Temporal's API. */
const CANCEL_REQUESTS = 4

/**
 * Retries a run that has failed or was cancelled from where it stopped, under its own id: what it has done is in its
 * history or its receipts. Concurrent requests reset it once.
 *
 * @throws conflict for a run that has neither failed nor was cancelled; forbidden for one that this installation has not
 * started, or with a key that is no longer valid.
 */
export const resetFailed = async (
  temporal: Temporal,
  description: WorkflowExecutionDescription,
): Promise<void> => {
  const { client } = temporal
  const { workflowId, runId, status, taskQueue } = description
  requireRetryable({ workflowId, status: status.name })
  const events = await eventsOf(client, { workflowId, runId })
  const run = await inputOf(client, events, { workflowId, workflow: description.type })
  const point = resetPoint(events)
  if (!point) {
    if (!run.plan) throw fail('conflict', `The run ${workflowId} ended before it began; call its chain again`)
    // Its input and its receipts contain everything of its history.
    return restart({ client, taskQueue }, description, run)
  }
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    reason: 'Its caller asked for it',
    workflowTaskFinishEventId: point,
    requestId: `retry-${runId}`,
    // The retried run does not receive the earlier cancellation again.
    resetReapplyExcludeTypes: [CANCEL_REQUESTS],
  })
}
