import { vi } from 'vitest'

/** Longer than anything here takes, also on a busy machine. Milliseconds. */
const TIMEOUT_MS = 60_000

/**
 * Waits until a check no longer fails.
 *
 * @returns what the check returns.
 * @throws what the check threw last.
 */
export const soon = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: TIMEOUT_MS, interval: 50 })
