import type { WorkflowExecutionDescription } from '@temporalio/client'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/chain/types.js'
import { attributesAfter } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { repeated } from './repeated.js'
import { startRun } from './start-run.js'

/**
 * Begins a new execution of a run that has ended before its time, under its id, so that receipts, the positions of loops
 * and the ids of runs below it hold.
 *
 * @throws conflict when another call has done so already.
 */
export const restart = async (
  temporal: Temporal,
  {
    workflowId,
    typedSearchAttributes,
    memo,
  }: Pick<WorkflowExecutionDescription, 'workflowId' | 'typedSearchAttributes' | 'memo'>,
  run: ChainRun,
): Promise<void> => {
  const started = await startRun(temporal, {
    workflow: 'chain',
    input: repeated(run),
    workflowId,
    reuse: 'afterFailure',
    attributes: attributesAfter(typedSearchAttributes),
    memo,
  })
  if (!started) throw fail('conflict', `The run ${workflowId} is running already`)
}
