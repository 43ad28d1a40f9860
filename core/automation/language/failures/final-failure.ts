import { type ArchivoltError, fail, isArchivoltError } from '../../../platform/errors/index.js'
import { isTimeout } from '../../../platform/limits/index.js'

/** SQLSTATE classes of values that the database cannot take: the caller sent them. */
const BAD_VALUE_SQL = /^(22|54)/

const isProgrammingError = (error: Error): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError

/**
 * A failure that every other attempt would meet again, as an error of the error table: a caller's mistake, a value
 * that cannot be stored, a mistake of ours. Undefined for what may pass: lost races and connections, a full disk.
 */
export const finalFailure = (error: unknown): ArchivoltError | undefined => {
  if (isArchivoltError(error)) return error.retryable ? undefined : error
  if (!(error instanceof Error)) return undefined
  if (isTimeout(error))
    return fail('timeout', 'A step lasted longer than it may', { cause: error, retryable: false })
  const sqlState = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (BAD_VALUE_SQL.test(sqlState))
    return fail('badRequest', 'A value of the run cannot be stored or compared', { cause: error })
  if (isProgrammingError(error)) return fail('internal', error.message, { cause: error, retryable: false })
  return undefined
}
