import { isArchivoltError } from '../../../core/platform/errors/index.js'

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'
const MAX_ATTEMPTS = 8
/** Losing oftener than this is no accident: others write the same row all the time. */
export const OPTIMISTIC_ATTEMPTS = 2

/** Whether work has lost against another transaction, and may win when it is done again. */
export const isWorthAnotherAttempt = (error: unknown): boolean => {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK) return true
  // A path that was free when it was looked at: the next attempt sees it taken and chooses another name.
  if (error.code === UNIQUE_VIOLATION)
    return 'constraint_name' in error && error.constraint_name === 'documents_path'
  // What says when it may win would lose again at once.
  return isArchivoltError(error) && error.code === 'conflict' && error.retryable && !error.retryAfter
}

/** Full jitter: losers of one race should not meet again. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt))

/** Does work again, a few times, while it loses. */
export const withAttempts = async <Result>(
  attempts: number,
  work: (attempt: number) => Promise<Result>,
): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt >= attempts || !isWorthAnotherAttempt(error)) throw error
      await pause(attempt)
    }
  }
}

/** Does a transaction again while it loses, holding what it reads once it has lost oftener than by accident. */
export const withTransactionAttempts = <Result>(
  transaction: (isContended: boolean) => Promise<Result>,
): Promise<Result> => withAttempts(MAX_ATTEMPTS, (attempt) => transaction(attempt > OPTIMISTIC_ATTEMPTS))
