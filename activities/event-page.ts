import { Context } from '@temporalio/activity'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import { createEventPages, type EventPageDependencies } from './run-event-page.js'
import type { EventPageActivities, EventPageInput } from './types.js'

/** Most pages are done in a workflow task; what lasts longer is left to an activity with heartbeats. */
const BEGUN_MS = 3_000

/** The activities of the workflow `eventPage`. */
export const createEventPageActivities = (dependencies: EventPageDependencies): EventPageActivities => {
  const runPage = createEventPages(dependencies)
  const run = (page: EventPageInput, longestMs: number) =>
    failing(() =>
      withHeartbeat((report) => {
        const { cancellationSignal: signal, info } = Context.current()
        return runPage(page, { signal, isRepeated: info.attempt > 1, longestMs, report })
      }),
    )
  return {
    beginEventPage: (input) => run(input, BEGUN_MS),
    runEventPage: async (input) => {
      const { done, apart } = await run(input, Number.POSITIVE_INFINITY)
      return { done, apart }
    },
  }
}
