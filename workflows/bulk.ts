import {
  ActivityFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { BulkActivities, BulkInput } from '../activities/types.js'
import type { BulkProgress } from '../core/automation/bulk/processing/index.js'
import { showFailedItems } from './chain/failed-items.js'

/** Infrastructure comes back; what does not pass is marked as final where it is thrown. */
const RETRY = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' } as const

/** A worker that is lost holds a bucket up for as long as its heartbeat may be missing. */
const activities = (summary: string) =>
  proxyActivities<BulkActivities>({
    startToCloseTimeout: '2 hours',
    heartbeatTimeout: '10s',
    retry: RETRY,
    summary,
  })
const { collectBulk } = activities('find the documents')
const { runBulkBucket } = activities('process a bucket of documents')
const { abortBulk } = activities('end the command')

const show = ({ state, processed, total, failed }: BulkProgress): void => {
  setCurrentDetails(`${state}: ${processed} of ${total} documents${failed > 0 ? `, ${failed} failed` : ''}`)
  showFailedItems(failed)
}

const messageOf = (error: unknown): string => {
  let cause = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  return cause instanceof Error ? cause.message : String(cause)
}

/** Repeats an activity until it says that there is no more; a full history goes on in a new one. */
const untilDone = async (
  input: BulkInput,
  activity: (input: BulkInput) => Promise<BulkProgress>,
): Promise<BulkProgress> => {
  for (;;) {
    const progress = await activity(input)
    show(progress)
    if (progress.isDone) return progress
    if (progress.waitMs !== undefined) await sleep(progress.waitMs)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof bulk>(input)
  }
}

/**
 * Runs a bulk command: finds its documents, then does them bucket by bucket. Where it stands is the command's own
 * row, so that whatever begins again goes on behind what is done.
 */
export async function bulk(input: BulkInput): Promise<BulkProgress> {
  try {
    await untilDone(input, collectBulk)
    return await untilDone(input, runBulkBucket)
  } catch (error) {
    if (isCancellation(error) || error instanceof ActivityFailure)
      await CancellationScope.nonCancellable(() =>
        abortBulk({ ...input, ...(!isCancellation(error) && { message: messageOf(error) }) }),
      )
    throw error
  }
}
