import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { ConversionActivities } from '../activities/types.js'
import type { ConversionJob } from '../core/automation/runs/index.js'
import type { BlobValue } from '../core/model/properties/index.js'

/** Temporal refuses summaries of more than 400 bytes, and a character has up to 3. */
const MAX_NAME = 80

/** The length of a history whose first workflow task has neither failed nor timed out. */
const FIRST_TASK = 3

const { beginConversion } = proxyLocalActivities<ConversionActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
})

/** What another attempt may avoid, with the pauses and the limit of attempts that an activity has. */
const mayPass = (error: unknown): boolean => {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) return false
  return !(error.cause instanceof ApplicationFailure && error.cause.nonRetryable)
}

const begin = async (job: ConversionJob): Promise<BlobValue | null> => {
  try {
    return await beginConversion(job)
  } catch (error) {
    if (mayPass(error)) return null
    throw error
  }
}

/**
 * Converts one blob; the result waits in the blob store. What takes seconds is done in the first workflow task, which
 * is cheaper. The rest is an activity, and so is what has been lost with a worker before: a file that brings workers down
 * does so a few times and no more.
 */
export async function conversion(job: ConversionJob): Promise<BlobValue> {
  const { source, converter, type, format, beginsLocally = false } = job
  if (beginsLocally && workflowInfo().historyLength <= FIRST_TASK) {
    const blob = await begin(job)
    if (blob) return blob
  }
  // A file that brings a converter down does so each time; a worker that is lost does not.
  const { convert } = proxyActivities<ConversionActivities>({
    startToCloseTimeout: '6 hours',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '500ms', maximumAttempts: 5 },
    summary: `${source.name?.slice(-MAX_NAME) ?? source.digest} to ${converter ?? type ?? format}`.slice(
      0,
      120,
    ),
  })
  return convert(job)
}
