import type { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { FailureDetail } from '../../activities/failure.js'
import { type ErrorCode, errorTable, fail } from '../../core/platform/errors/index.js'

const isErrorCode = (code: string): code is ErrorCode => code in errorTable

/** The error behind a failed run, as the core threw it. */
export const runFailure = (failed: WorkflowFailedError): Error => {
  let cause: Error | undefined = failed.cause
  while (cause) {
    if (cause instanceof ApplicationFailure) {
      const detail = cause.details?.[0] as FailureDetail | undefined
      const code = detail && isErrorCode(detail.code) ? detail.code : 'operationFailed'
      // Our own mistakes are logged where they happen; their messages may quote statements.
      if (code === 'internal') return failed
      return fail(code, cause.message, { cause: failed, details: (detail?.details ?? []) as never })
    }
    if (cause instanceof CancelledFailure) return fail('conflict', 'The run was cancelled', { cause: failed })
    cause = cause.cause instanceof Error ? cause.cause : undefined
  }
  return fail('operationFailed', failed.message, { cause: failed })
}
