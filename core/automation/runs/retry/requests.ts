import { fail } from '../../../platform/errors/index.js'
import type { StoredIteration } from '../../run-store/index.js'

type Ended = { workflowId: string; status: string }

/** @throws conflict for a run that has neither failed nor was cancelled. */
export const requireRetryable = ({ workflowId, status }: Ended): void => {
  if (status !== 'FAILED' && status !== 'CANCELLED')
    throw fail('conflict', `The run ${workflowId} has not failed: it is ${status}`)
}

/** @throws conflict for a completed run some of whose items failed: it names the call that retries those. */
export const requireNoFailedItems = (workflowId: string, loops: readonly StoredIteration[]): void => {
  const failed = loops.reduce((sum, loop) => sum + loop.failed, 0)
  if (failed === 0) return
  throw fail(
    'conflict',
    `The run ${workflowId} has not failed: it is COMPLETED; ${failed} of its items failed, which items/retry retries (archivolt retry --items ${workflowId})`,
  )
}

/**
 * @param repairs the run whose items it retries itself.
 * @throws conflict for a run whose failed items are listed by another one, or that is still running.
 */
export const requireItemsRetryable = ({ workflowId, status }: Ended, repairs: string | undefined): void => {
  if (repairs !== undefined)
    throw fail(
      'conflict',
      `The run ${workflowId} retries items of ${repairs}; retry those of ${repairs} instead`,
    )
  if (status === 'RUNNING')
    throw fail(
      'conflict',
      `The run ${workflowId} is still running; its failed items can be retried when it has ended`,
    )
}
