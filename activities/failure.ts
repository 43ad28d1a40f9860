import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import { finalFailure } from '../core/automation/language/index.js'
import { type ArchivoltError, fail, isArchivoltError, isCallersDoing } from '../core/platform/errors/index.js'

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
      ...(isCallersDoing(error) && { category: ApplicationFailureCategory.BENIGN }),
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

/** Attempts of work that a caller has written, each of which lasts as long as a statement may. */
const TIMED_OUT_ATTEMPTS = 4

/** What an error of a store means, where it has a meaning of its own. */
export type FailureOf = (error: unknown) => ArchivoltError | undefined

/**
 * A statement of a caller's work that reaches its time limit again and again is the work's own fault. No further
 * attempt is made: it would last as long, and hold up the work of others for ever.
 *
 * @param attempt number of this attempt, from 1.
 * @throws timeout, final, from the fourth attempt on; else what the work throws.
 */
export const endTimeouts = async <Result>(
  { attempt, failureOf }: { attempt: number; failureOf: FailureOf },
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    const failure = attempt < TIMED_OUT_ATTEMPTS ? undefined : failureOf(error)
    if (failure?.code !== 'timeout') throw error
    throw fail('timeout', `${failure.message}, at ${attempt} attempts`, { cause: error, retryable: false })
  }
}

/** Runs an activity's work; every error leaves it in the form in which Temporal knows whether to try again. */
export const failing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw toFailure(error)
  }
}
