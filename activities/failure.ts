import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import { finalFailure } from '../core/automation/language/index.js'
import { isArchivoltError } from '../core/platform/errors/index.js'

/** First detail of a failure: what its protocol mapper needs besides the message. */
export type FailureDetail = { code: string; status: number; details: readonly unknown[] }

/** SQLSTATE classes of what we did wrong, which no other attempt avoids: broken constraints, bad statements. */
const PERMANENT_SQL = /^(23|42)/

/**
 * An error as Temporal is to see it: the caller's mistakes and our own are final, with the code of the error
 * table as their type; whatever may pass (a lost connection, a full disk) is tried again.
 */
const toFailure = (error: unknown): unknown => {
  if (isArchivoltError(error)) {
    const detail: FailureDetail = { code: error.code, status: error.status, details: error.details }
    return ApplicationFailure.create({
      message: error.message,
      type: error.code,
      nonRetryable: !error.retryable,
      // Neither logged as an incident nor counted as a failure by the worker.
      ...(error.status < 500 && { category: ApplicationFailureCategory.BENIGN }),
      details: [detail],
      cause: error,
    })
  }
  if (!(error instanceof Error)) return error
  const failure = finalFailure(error)
  if (failure && failure.code !== 'internal') return toFailure(failure)
  const sqlState = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (!failure && !PERMANENT_SQL.test(sqlState)) return error
  const detail: FailureDetail = { code: 'internal', status: 500, details: [] }
  return ApplicationFailure.create({
    message: error.message,
    type: 'internal',
    nonRetryable: true,
    details: [detail],
    cause: error,
  })
}

/** Runs an activity's work; every error leaves it in the form in which Temporal knows whether to try again. */
export const failing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw toFailure(error)
  }
}
