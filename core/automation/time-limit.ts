import { fail } from '../errors/index.js'

/** Longest time that a timer can count. */
const MAX_SECONDS = 2_000_000

/** A signal that also stops work which lasts longer than it may. */
export const withTimeLimit = (signal: AbortSignal, seconds: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(Math.min(seconds, MAX_SECONDS) * 1000))])

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'

/** Stops work that is done, but took longer than it may: the last moment is before it is committed. */
export const throwIfLate = (signal: AbortSignal): void => {
  if (signal.aborted && isTimeout(signal.reason)) throwIfStopped(signal)
}

/**
 * Stops between two steps of work whose signal says so.
 *
 * @throws timeout, final, when the work lasted too long: another attempt would too; else the signal's reason.
 */
export const throwIfStopped = (signal: AbortSignal): void => {
  if (!signal.aborted) return
  if (!isTimeout(signal.reason)) throw signal.reason
  throw fail('timeout', 'The transaction lasted longer than it may, and was rolled back', {
    retryable: false,
  })
}
