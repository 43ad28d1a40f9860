import { ApplicationFailure } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker'
import type { MayBeUnsigned } from '../../core/automation/run-store/index.js'

const isMarkable = (value: unknown): value is MayBeUnsigned => typeof value === 'object' && value !== null

/** @throws ApplicationFailure, final, for an input that nobody of this installation has written. */
const requireSigned = (input: ActivityExecuteInput, scheduledAt: number): void => {
  for (const argument of input.args) {
    if (!isMarkable(argument)) continue
    const { archivoltUnsignedUntil: until } = argument
    if (until !== undefined && scheduledAt >= until)
      throw ApplicationFailure.create({
        message: 'The input of the activity is not signed by this installation: nothing was done',
        type: 'forbidden',
        nonRetryable: true,
        details: [{ code: 'forbidden', status: 403, details: [] }],
      })
    delete argument.archivoltUnsignedUntil
  }
}

/**
 * Refuses activities that others than the workflows of this installation have scheduled: whoever reaches Temporal can
 * schedule any, with any input.
 */
export const signedInputs: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute: async (input, next) => {
      requireSigned(input, info.scheduledTimestampMs)
      return next(input)
    },
  },
})
