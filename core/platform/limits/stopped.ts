import { fail } from '../errors/index.js'

/** Name of the reason of a signal that time has given, and of the error of what it has ended. */
export const TIMEOUT = 'TimeoutError'

export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === TIMEOUT

/**
 * Stops between two steps of work whose signal says so.
 *
 * @param message of a time limit.
 * @throws timeout, final, when the work lasted too long: another attempt would too; else the signal's reason.
 */
export const throwIfStopped = (
  signal: AbortSignal,
  message = 'The transaction lasted longer than it may, and was rolled back',
): void => {
  if (!signal.aborted) return
  if (!isTimeout(signal.reason)) throw signal.reason
  throw fail('timeout', message, { retryable: false })
}
