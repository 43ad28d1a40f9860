import type { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { FailureDetail } from '../../activities/failure.js'
import { errorOfCancelled, errorOfRun } from '../../core/automation/runs/index.js'

/** The error behind a failed run, as the core threw it. */
export const runFailure = (failed: WorkflowFailedError): Error => {
  let cause: Error | undefined = failed.cause
  while (cause) {
    if (cause instanceof ApplicationFailure) {
      const detail = cause.details?.[0] as FailureDetail | undefined
      return errorOfRun({ message: cause.message, code: detail?.code, details: detail?.details }, failed)
    }
    if (cause instanceof CancelledFailure) return errorOfCancelled(failed)
    cause = cause.cause instanceof Error ? cause.cause : undefined
  }
  return errorOfRun({ message: failed.message }, failed)
}
