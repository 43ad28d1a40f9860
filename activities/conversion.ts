import { Context } from '@temporalio/activity'
import type { ConversionJob } from '../core/automation/runs/index.js'
import { type ConversionRequest, type Conversions, createBeginning } from '../core/files/conversions/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { ConversionActivities } from './types.js'

const requestOf = ({
  requestId: _,
  documentId: __,
  beginsLocally: ___,
  ...job
}: ConversionJob): ConversionRequest => ({ ...job, signal: Context.current().cancellationSignal })

/**
 * The activities of the workflow `conversion`. Their result is stored by its bytes, so that doing it again gives
 * the same blob and leaves nothing behind.
 */
export const createConversionActivities = (
  conversions: Pick<Conversions, 'convert' | 'isShort'>,
): ConversionActivities => {
  const begin = createBeginning(conversions)
  return {
    beginConversion: (job) => failing(() => begin(requestOf(job))),
    convert: (job) =>
      failing(() =>
        withHeartbeat((report) =>
          conversions.convert({ ...requestOf(job), onProgress: (fraction) => report({ fraction }) }),
        ),
      ),
  }
}
