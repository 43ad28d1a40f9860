import type { Client } from '@temporalio/client'

type Pollers = Awaited<ReturnType<Client['workflowService']['describeTaskQueue']>>['pollers']

/** A long poll lasts 60 seconds; the rest is for its way, and for clocks that differ. */
const FRESH_MS = 75_000

/**
 * Whether a worker polls. Temporal lists pollers for five minutes after their last poll, so that a dead one is among them.
 *
 * @param now milliseconds since 1970.
 */
export const isPolled = (pollers: Pollers | null | undefined, now: number): boolean =>
  (pollers ?? []).some(({ lastAccessTime }) => now - Number(lastAccessTime?.seconds ?? 0) * 1000 < FRESH_MS)
