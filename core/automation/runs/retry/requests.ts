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
    `The run ${workflowId} has not failed: it is COMPLETED; ${failed} of its items failed, which its items/retry does again (archivolt retry --items ${workflowId})`,
  )
}

/**
 * @param repairs the run whose items it retries itself.
 * @throws conflict for a run whose failed items are listed by another one, or that has yet to end.
 */
export const requireItemsRetryable = ({ workflowId, status }: Ended, repairs: string | undefined): void => {
  if (repairs !== undefined)
    throw fail('conflict', `The run ${workflowId} does items of ${repairs} again: ask that one`)
  if (status === 'RUNNING')
    throw fail('conflict', `The run ${workflowId} goes on: its failed items are known when it has ended`)
}
