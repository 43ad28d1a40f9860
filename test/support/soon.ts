import { vi } from 'vitest'

/** What nothing here takes, however little of the machine is ours. */
const PATIENCE_MS = 60_000

/**
 * Waits until a check no longer fails.
 *
 * @returns what the check gives.
 * @throws what the check failed with at last.
 */
export const soon = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 })
