import { isGrpcServiceError } from '@temporalio/client'
import { type ArchivoltError, fail } from '../../core/platform/errors/index.js'
import { engineFailure } from '../failures/index.js'

/** `DEADLINE_EXCEEDED` of gRPC. */
const LATE = 4

const isLate = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (isGrpcServiceError(cause)) return cause.code === LATE
  return false
}

/**
 * What it means that a move of a route was not answered; undefined for mistakes of ours. One that has taken all of the
 * time that its caller waits has not failed: Temporal has it, and it goes on.
 *
 * @param time milliseconds that were waited, of those that are waited at most.
 */
export const moveFailure = (
  error: unknown,
  { waited, most }: { waited: number; most: number },
): ArchivoltError | undefined =>
  waited >= most && isLate(error)
    ? fail('unavailable', `The workflow did not answer within ${most / 1000} s: its move may still go on`, {
        cause: error,
        retryable: false,
      })
    : engineFailure(error)
