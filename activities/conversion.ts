import { Context } from '@temporalio/activity'
import type { Conversions } from '../core/files/conversions/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { ConversionActivities } from './types.js'

/**
 * The activity of the workflow `conversion`. Its result is stored by its bytes, so that doing it again gives
 * the same blob and leaves nothing behind.
 */
export const createConversionActivities = ({
  convert,
}: Pick<Conversions, 'convert'>): ConversionActivities => ({
  convert: ({ requestId: _, documentId: __, ...job }) =>
    failing(() =>
      withHeartbeat((report) =>
        convert({
          ...job,
          signal: Context.current().cancellationSignal,
          onProgress: (fraction) => report({ fraction }),
        }),
      ),
    ),
})
