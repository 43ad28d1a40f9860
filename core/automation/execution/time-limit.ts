import { isTimeout, TIMEOUT, throwIfStopped } from '../../platform/limits/index.js'

/** Longest time that a timer can count. */
const MAX_SECONDS = 2_000_000

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

/** Stops work that is done, but took longer than it may: the last moment is before it is committed. */
export const throwIfLate = (signal: AbortSignal): void => {
  if (signal.aborted && isTimeout(signal.reason)) throwIfStopped(signal)
}
