import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  isCancellation,
} from '@temporalio/workflow'
import type { ChainFailure } from '../../core/automation/execution/index.js'

const isFailureOfChild = (error: unknown): boolean =>
  !isCancellation(error) && (error instanceof ChildWorkflowFailure || error instanceof ActivityFailure)

/** A local activity fails as what it has thrown, and so does what has lasted too long. */
export const isFailureOfNode = (error: unknown): boolean =>
  isFailureOfChild(error) || error instanceof ApplicationFailure

const messageOf = (error: unknown): string => {
  let cause = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  return cause instanceof Error ? cause.message : String(cause)
}

/** Whether the run of an item was cancelled by itself, while the one above it goes on: it has failed then. */
export const isCancelledAlone = (error: unknown): boolean =>
  error instanceof ChildWorkflowFailure &&
  isCancellation(error) &&
  !CancellationScope.current().consideredCancelled

const CANCELLED: ChainFailure = {
  code: 'conflict',
  status: 409,
  message: 'The run of the item was cancelled',
}

/** The failure that an activity, of this run or of a child, has ended with. */
export const failureBehind = (error: unknown): ChainFailure => {
  if (isCancellation(error)) return CANCELLED
  let cause = error
  while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause
  const failed = cause instanceof ApplicationFailure ? cause : undefined
  const detail = failed?.details?.[0] as Pick<ChainFailure, 'code' | 'status'> | undefined
  const { code = 'operationFailed', status = 500 } = detail ?? {}
  return { code, status, message: failed?.message ?? messageOf(error) }
}
