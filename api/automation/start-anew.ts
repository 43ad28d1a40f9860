import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
} from '@temporalio/client'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/types.js'

/**
 * Begins a new execution of a run that has ended before its time, under its id, so that receipts, the positions of loops
 * and the ids of runs below it hold.
 *
 * @throws conflict when somebody else has done so already.
 */
export const startAnew = async (
  client: Client,
  {
    workflowId,
    taskQueue,
    typedSearchAttributes,
    memo,
  }: Pick<WorkflowExecutionDescription, 'workflowId' | 'taskQueue' | 'typedSearchAttributes' | 'memo'>,
  run: ChainRun,
): Promise<void> => {
  try {
    await client.workflow.start('chain', {
      taskQueue,
      workflowId,
      args: [{ ...run, isRepeated: true }],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'FAIL',
      typedSearchAttributes,
      ...(memo && { memo }),
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    throw fail('conflict', `The run ${workflowId} goes on already`)
  }
}
