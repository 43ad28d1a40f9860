import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than anything here takes, also on a busy machine. Milliseconds. */
const TIMEOUT_MS = 60_000

/** Pauses grow: what is there soon is found soon, and what takes seconds is not asked for all the time. */
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 250
const GROWTH = 1.4

/**
 * Waits until a check no longer fails.
 *
 * @returns what the check returns.
 * @throws what the check threw last.
 */
export const soon = async <Value>(check: () => Value | Promise<Value>): Promise<Value> => {
  const end = Date.now() + TIMEOUT_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
    }
    await sleep(pauseMs)
  }
}
