import { fail } from '../../../core/platform/errors/index.js'
import type { Connections } from '../../../core/platform/telemetry/index.js'

/** Statements that share one connection at most: each is sent without waiting for the answer to the one before. */
export const SHARES = 10

type Waiting = { shares: number; begin(): void; timer: NodeJS.Timeout }

/** A fair semaphore for the connections of a pool: whoever comes first is first, and waits so long at most. */
export type ConnectionLimit = {
  /**
   * Calls `begin` once so many shares are free: before it returns when they are now.
   *
   * @param shares `SHARES` for a connection of one's own, 1 for a statement that shares one.
   * @param refuse is called with `unavailable` instead when that takes too long.
   */
  take(shares: number, begin: () => void, refuse: (error: Error) => void): void
  /** Gives back what was taken. Those who wait for it begin when the caller is done. */
  release(shares: number): void
  /** Connections there are, those in use, and callers that wait. */
  state(): Connections
}

/**
 * @param connections how many there are.
 * @param waitTimeoutMs how long somebody waits at most, milliseconds.
 */
export const createConnectionLimit = ({
  connections,
  waitTimeoutMs,
  shares: each = SHARES,
}: {
  connections: number
  waitTimeoutMs: number
  shares?: number | undefined
}): ConnectionLimit => {
  const line = new Set<Waiting>()
  let free = connections * each

  const letIn = (): void => {
    for (const waiting of line) {
      if (waiting.shares > free) return
      line.delete(waiting)
      clearTimeout(waiting.timer)
      free -= waiting.shares
      waiting.begin()
    }
  }

  return {
    take: (shares, begin, refuse) => {
      if (line.size === 0 && shares <= free) {
        free -= shares
        begin()
        return
      }
      const timer = setTimeout(() => {
        line.delete(waiting)
        refuse(fail('unavailable', 'All connections to the database were in use for too long'))
        // Those behind may need less.
        letIn()
      }, waitTimeoutMs)
      const waiting = { shares, begin, timer }
      line.add(waiting)
    },
    release: (shares) => {
      free += shares
      // The driver gives the connection back after it has ended the statement.
      if (line.size > 0) queueMicrotask(letIn)
    },
    state: () => ({
      size: connections,
      inUse: connections - Math.floor(free / each),
      waiting: line.size,
    }),
  }
}
