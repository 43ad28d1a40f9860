import { fail } from '../../platform/errors/index.js'

/** Longest time that a timer can count. */
const MAX_SECONDS = 2_000_000

/** Name of the reason of a signal that time has given. */
const TIMEOUT = 'TimeoutError'

/**
 * Runs work with a signal that also stops it when it lasts longer than it may. Timer and listener end with the work:
 * `AbortSignal.timeout` would be kept until its time has come, hundreds of thousands of them in a busy process.
 */
export const withinTimeLimit = async <Result>(
  { signal, seconds }: { signal: AbortSignal; seconds: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const limit = new AbortController()
  const stop = (): void => limit.abort(signal.reason)
  const timer = setTimeout(
    () => limit.abort(new DOMException('The time limit has been reached', TIMEOUT)),
    Math.max(Math.ceil(Math.min(seconds, MAX_SECONDS) * 1000), 0),
  )
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** The same for a parameter: a number above 0 is a limit, which holds to the end of the work. */
export const withTimeout = <Result>(
  { signal, seconds }: { signal: AbortSignal; seconds: unknown },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> =>
  typeof seconds === 'number' && seconds > 0
    ? withinTimeLimit({ signal, seconds }, async (limited) => {
        const result = await work(limited)
        throwIfLate(limited)
        return result
      })
    : work(signal)

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === TIMEOUT

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
