import { proxyActivities } from '@temporalio/workflow'
import type { EventPageActivities, EventPageInput } from '../../activities/types.js'

/** A worker that is lost holds the page up no longer than a lost workflow task would. */
const { runEventPage } = proxyActivities<EventPageActivities>({
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' },
})

/**
 * Does for one listener what a page of events starts, each in a transaction of its own.
 *
 * @returns how many are done, and how many go on as workflows of their own.
 */
export async function eventPage(input: EventPageInput): Promise<{ done: number; apart: number }> {
  return runEventPage(input)
}
