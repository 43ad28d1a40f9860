import { Context, log } from '@temporalio/activity'
import type { MediaMaking } from '../core/content/media/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { MediaActivities, MediaInput } from './types.js'

type Run = Parameters<MediaMaking['make']>[1]

/** Works with heartbeats of how far it is, until it is cancelled. */
const working = <Result>(work: (run: Run) => Promise<Result>): Promise<Result> =>
  failing(() =>
    withHeartbeat((report) =>
      work({
        signal: Context.current().cancellationSignal,
        onProgress: (fraction) => report({ fraction }),
      }),
    ),
  )

/** Per cent between two reports of an activity to its run: each is an event of its history. */
const REPORTED_PERCENT = 10

/** Reports to the run how far it is. A report that is lost is followed by others. */
const reporting = (run: Run): Run => {
  const { client, info } = Context.current()
  const { workflowId, runId } = info.workflowExecution ?? {}
  let reported = 0
  return {
    ...run,
    onProgress: (fraction) => {
      run.onProgress?.(fraction)
      const percent = Math.floor((fraction * 100) / REPORTED_PERCENT) * REPORTED_PERCENT
      if (workflowId === undefined || percent <= reported || percent >= 100) return
      reported = percent
      client.workflow
        .getHandle(workflowId, runId)
        .signal('progress', percent)
        .catch((error) => log.warn('How far a run is could not be reported', { error }))
    },
  }
}

/** The activities of the workflow `media`, by repository; the default one has no name. */
export const createMediaActivities = (
  makingOf: (repository: string | undefined) => MediaMaking,
): MediaActivities => {
  const on = ({ repository }: MediaInput) => makingOf(repository)
  return {
    prepareMedia: (input) => working((run) => on(input).prepare(input, run)),
    makeMedia: (input) => working((run) => on(input).make(input, reporting(run))),
    convertFilmPart: ({ part, ...input }) => working((run) => on(input).convertPart(input, part, run)),
    convertFilmSound: (input) => working((run) => on(input).convertSound(input, run)),
    joinFilmParts: ({ parts, sound, ...input }) =>
      working((run) => on(input).join(input, { parts, sound }, run)),
    applyMedia: ({ result, ...input }) => working(() => on(input).apply(input, result)),
    giveUpMedia: ({ message, ...input }) => failing(() => on(input).giveUp(input, message)),
  }
}
