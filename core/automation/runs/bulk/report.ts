import { hasEnded } from '../../bulk/index.js'
import type { BulkCommand } from '../../language/index.js'
import { bulkRunId } from '../ids/bulk.js'
import type { RunReport } from '../report/types.js'
import type { RunDescription } from '../run.js'

/** One whose workflow is yet to begin. */
export const describeWaiting = ({
  id,
  action,
  principal,
  repairs,
  submittedAt,
}: BulkCommand): RunDescription => ({
  workflowId: bulkRunId(id),
  chainId: `bulk ${action}`,
  execution: 'bulk',
  principal,
  status: 'RUNNING',
  ...(repairs !== null && { repairs: bulkRunId(repairs) }),
  startedAt: submittedAt,
  closedAt: undefined,
})

/** A command that was aborted lets its workflow end as completed. */
const statusOf = (run: RunDescription, command: BulkCommand): Pick<RunDescription, 'status' | 'closedAt'> => {
  if (!command.isStarted && !hasEnded(command)) return { status: 'RUNNING', closedAt: undefined }
  const isAborted = command.state === 'ABORTED' && run.status === 'COMPLETED'
  return { status: isAborted ? 'CANCELLED' : run.status, closedAt: run.closedAt }
}

/** A run with the details of its command's row: one step, whose items are its documents. */
export const bulkReportOf = (described: RunDescription, command: BulkCommand): RunReport => {
  const run = { ...described, ...statusOf(described, command) }
  const { processed: position, collected: total, failed, failures, error } = command
  const loop = { position, total, failed, failures }
  const isRunning = run.status === 'RUNNING'
  const ended = run.status === 'COMPLETED' ? 'done' : 'failed'
  return {
    ...run,
    nodes: [{ title: run.chainId, kind: 'bulk', status: isRunning ? 'running' : ended, loop }],
    ...(isRunning && { loop }),
    items: { done: position - failed, failed, total },
    ...(error !== null && { failure: { code: 'operationFailed', status: 500, message: error } }),
  }
}
