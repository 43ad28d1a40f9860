import { Context } from '@temporalio/activity'
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

/** The activities of the workflow `media`, by repository; the default one has no name. */
export const createMediaActivities = (
  makingOf: (repository: string | undefined) => MediaMaking,
): MediaActivities => {
  const on = ({ repository }: MediaInput) => makingOf(repository)
  return {
    prepareMedia: (input) => working((run) => on(input).prepare(input, run)),
    makeMedia: (input) => working((run) => on(input).make(input, run)),
    convertFilmPart: ({ part, ...input }) => working((run) => on(input).convertPart(input, part, run)),
    joinFilmParts: ({ parts, ...input }) => working((run) => on(input).join(input, parts, run)),
    applyMedia: ({ result, ...input }) => working(() => on(input).apply(input, result)),
    giveUpMedia: ({ message, ...input }) => failing(() => on(input).giveUp(input, message)),
  }
}
