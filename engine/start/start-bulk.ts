import type { BulkInput } from '../../activities/types.js'
import { bulkRunId } from '../../core/automation/runs/index.js'
import { runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { startRun } from './start-run.js'

/**
 * Starts the workflow of a bulk command, unless it is running. An aborted one may continue; one that has ended
 * ends at once.
 *
 * @param about `repairs`: the command whose failed documents it retries.
 */
export const startBulk = async (
  temporal: Temporal,
  input: BulkInput,
  { action, repairs }: { action: string; repairs: string | null },
): Promise<void> => {
  const { commandId, principal, requestId, repository } = input
  const chainId = `bulk ${action}`
  await startRun(temporal, {
    workflow: 'bulk',
    input,
    workflowId: bulkRunId(commandId),
    reuse: 'afterEnd',
    attributes: runAttributes({ chainId, principal, requestId }),
    memo: {
      principal,
      requestId,
      ...(repository !== undefined && { repository }),
      ...(repairs !== null && { repairs: bulkRunId(repairs) }),
    },
    summary: chainId,
  })
}
