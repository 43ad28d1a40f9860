import { isGrpcServiceError } from '@temporalio/client'
import { type ArchivoltError, fail } from '../../core/platform/errors/index.js'

/**
 * Codes of gRPC (its specification, "Status codes and their use") that pass when the server is back. UNKNOWN is what
 * the native client makes of a connection that is lost, and INTERNAL what the server makes of a database that is too busy.
 */
const CANCELLED = 1
const UNKNOWN = 2
const DEADLINE_EXCEEDED = 4
const RESOURCE_EXHAUSTED = 8
const ABORTED = 10
const INTERNAL = 13
const UNAVAILABLE = 14
const PASSING = new Set([
  CANCELLED,
  UNKNOWN,
  DEADLINE_EXCEEDED,
  RESOURCE_EXHAUSTED,
  ABORTED,
  INTERNAL,
  UNAVAILABLE,
])

/**
 * What an error of Temporal means to a caller whose run neither failed nor is known to have ended; undefined for
 * errors of other origin and for mistakes of ours.
 */
export const engineFailure = (error: unknown): ArchivoltError | undefined => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause))
      return PASSING.has(cause.code)
        ? fail('unavailable', 'Temporal cannot be reached or does not respond', { cause: error })
        : undefined
  }
  return undefined
}
