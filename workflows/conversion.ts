import { proxyActivities } from '@temporalio/workflow'
import type { ConversionActivities } from '../activities/types.js'
import type { ConversionJob } from '../core/automation/runs/index.js'
import type { BlobValue } from '../core/model/properties/index.js'

/** A file that brings a converter down does so each time; a worker that is lost does not. */
const { convert } = proxyActivities<ConversionActivities>({
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '500ms', maximumAttempts: 5 },
})

/** Converts one blob; the result waits in the blob store. */
export async function conversion(job: ConversionJob): Promise<BlobValue> {
  return convert(job)
}
