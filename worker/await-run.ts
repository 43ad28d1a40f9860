import { Context } from '@temporalio/activity'
import type { NativeConnection } from '@temporalio/worker'
import type { Settings } from '../core/platform/settings/index.js'
import { statusOf, temporalOn } from '../engine/index.js'

/** Milliseconds: what waits longer is asked for again, so that no wait outlasts its activity. */
const LONGEST = 3_600_000
const FIRST_WAIT = 100
const LONGEST_WAIT = 5_000

/** Of a run of which nothing is kept any more. */
const GONE = 'UNKNOWN'

/**
 * Waits, inside an activity, for the end of a run that somebody else has started.
 *
 * @returns its status, `UNKNOWN` when it is not known any more; `RUNNING` when it has not ended for an hour.
 */
export const createAwaitRun = (
  connection: NativeConnection,
  settings: Settings['temporal'],
): ((workflowId: string) => Promise<string>) => {
  const { client } = temporalOn(connection, settings)
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
