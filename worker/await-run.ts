import { Context } from '@temporalio/activity'
import type { NativeConnection } from '@temporalio/worker'
import { statusOf, type TemporalPlace, temporalOn } from '../engine/index.js'

/** Milliseconds: a longer wait is repeated, so that none outlasts its activity. */
const LONGEST = 3_600_000
const FIRST_WAIT = 100
const LONGEST_WAIT = 5_000

/** The status of a run whose history is deleted. */
const GONE = 'UNKNOWN'

/**
 * Waits, inside an activity, for the end of a run that another caller has started.
 *
 * @returns its status, `UNKNOWN` when its history is deleted; `RUNNING` when it has not ended for an hour.
 */
export const createAwaitRun = (
  connection: NativeConnection,
  place: TemporalPlace,
): ((workflowId: string) => Promise<string>) => {
  const { client } = temporalOn(connection, place)
  return async (workflowId) => {
    const context = Context.current()
    const until = Date.now() + LONGEST
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      const status = (await statusOf(client, workflowId)) ?? GONE
      if (status !== 'RUNNING' || Date.now() > until) return status
      context.heartbeat()
      await context.sleep(wait)
    }
  }
}
