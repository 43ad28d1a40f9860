import type { RunPlace } from '../../activities/types.js'
import type { ChainRun } from './types.js'

/**
 * Where and until when a run works. Whoever does a run again gives it time again: its limit is of its first execution.
 */
export const placeIn = (
  { repository, eventDepth, endsAt }: Pick<ChainRun, keyof RunPlace>,
  { isFirst }: { isFirst: boolean },
): RunPlace => ({
  ...(repository !== undefined && { repository }),
  ...(eventDepth !== undefined && { eventDepth }),
  ...(endsAt !== undefined && isFirst && { endsAt }),
})

/** A run below another one, which is over when either of both is to be. */
export const limitedTo = (run: ChainRun, endsAt: number | undefined): ChainRun =>
  endsAt === undefined ? run : { ...run, endsAt: Math.min(endsAt, run.endsAt ?? endsAt) }
