import { setTimeout as pause } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { fail } from '../core/platform/errors/index.js'
import { createTurns } from '../core/platform/limits/index.js'
import { withHeartbeat } from './heartbeat.js'

/** Attempts that may be lost: workers are killed now and then, and what has run in them does not get lost by that. */
const MAX_LOST = 10

/** Lost attempts after which the work may be what loses them. */
const MAX_UNSUSPECTED = 5

/**
 * Time in which a heartbeat is on its way, even if this process does not come to anything else again, and in which Temporal
 * says that it has given this attempt up: while a process stands still, it is handed several that end before they begin.
 */
const DELIVERY_MS = 200

/** Of what has lost several attempts, one at a time: others that ran beside it, and were lost with it, get through. */
const alone = createTurns(1)

const lostIn = (details: unknown): number =>
  typeof details === 'object' && details !== null && 'lost' in details ? Number(details.lost) : 0

/**
 * Runs the work of a caller with heartbeats of its latest report, as `withHeartbeat`, and ends it when attempt after
 * attempt was lost: its process ended, or stood still until Temporal gave the attempt up, and so does that of the next one.
 * An attempt that ends by itself, with whatever error, is none. They are counted in the heartbeats, from the second
 * attempt on: most work has no other.
 *
 * @throws timeout, final, after too many lost attempts; else what the work throws.
 */
export const endingLostAttempts = async <Result>(
  work: (report: (details: object) => void) => Promise<Result>,
): Promise<Result> => {
  const context = Context.current()
  const { attempt, isLocal, heartbeatDetails } = context.info
  if (isLocal || attempt === 1) return withHeartbeat(work)
  const lost = lostIn(heartbeatDetails)
  if (lost >= MAX_LOST) {
    const message = `${lost} workers ended or stood still while they did this work: it is not tried again`
    throw fail('timeout', message, { retryable: false })
  }
  return withHeartbeat((report) => {
    let reported = {}
    const keep = (count: number): object => {
      const details = { ...reported, lost: count }
      report(details)
      return details
    }
    const attempted = async (): Promise<Result> => {
      const send = async (count: number): Promise<void> => {
        context.heartbeat(keep(count))
        await pause(DELIVERY_MS)
      }
      // Lost, until it ends by itself.
      await send(lost + 1)
      context.cancellationSignal.throwIfAborted()
      try {
        return await work((details) => {
          reported = details
          keep(lost + 1)
        })
      } catch (error) {
        await send(lost)
        throw error
      }
    }
    keep(lost)
    return lost < MAX_UNSUSPECTED ? attempted() : alone(attempted)
  })
}
