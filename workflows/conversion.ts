import { proxyActivities } from '@temporalio/workflow'
import type { ConversionActivities } from '../activities/types.js'
import type { ConversionJob } from '../core/automation/runs/index.js'
import type { BlobValue } from '../core/model/properties/index.js'

/** Temporal refuses summaries of more than 400 bytes, and a character has up to 3. */
const MAX_NAME = 80

/** Converts one blob; the result waits in the blob store. */
export async function conversion(job: ConversionJob): Promise<BlobValue> {
  const { source, converter, type, format } = job
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
