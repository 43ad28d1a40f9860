import { setImmediate } from 'node:timers/promises'

/** Longest time, ms, that calls may go on after one another before others in the process have a turn. */
const TURN_MS = 20

let begunAt = performance.now()

/** Whether it is time for others. */
export const isTurnOver = (): boolean => performance.now() - begunAt >= TURN_MS

/**
 * Lets timers, connections and other requests have a turn: operations that wait for nothing, called again and again,
 * would hold up the whole process else, and with it the limit on their own time.
 */
export const giveTurn = async (): Promise<void> => {
  await setImmediate()
  begunAt = performance.now()
}
