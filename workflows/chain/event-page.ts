import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { EventPageActivities, EventPageInput } from '../../activities/types.js'

const RETRY = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' } as const

/** A worker that is lost holds the page up no longer than a lost workflow task would. */
const { runEventPage } = proxyActivities<EventPageActivities>({
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '10s',
  retry: RETRY,
})

const { beginEventPage } = proxyLocalActivities<EventPageActivities>({
  startToCloseTimeout: '1 minute',
  retry: RETRY,
})

/**
 * Does for one listener what a page of events starts: what takes seconds in its first task, which is cheaper, the rest in
 * an activity.
 *
 * @returns how many are done, and how many go on as workflows of their own.
 */
export async function eventPage(input: EventPageInput): Promise<{ done: number; apart: number }> {
  if (!input.beginsLocally) return runEventPage(input)
  const { left, ...begun } = await beginEventPage(input)
  if (left === 0) return begun
  const rest = await runEventPage({ ...input, runs: input.runs.slice(-left) })
  return { done: begun.done + rest.done, apart: begun.apart + rest.apart }
}
