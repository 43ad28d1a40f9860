import { Context } from '@temporalio/activity'
import type { IndexSides } from '../core/content/stores/index.js'
import { fail } from '../core/platform/errors/index.js'
import {
  beginIndex,
  bringSubtree,
  catchUp,
  dropIndex,
  type FillPosition,
  fillIndex,
  promoteIndex,
  SUBTREE_START,
  type SubtreePosition,
} from '../core/search/indexing/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type {
  SearchIndexActivities,
  SearchIndexInput,
  SearchSubtreeActivities,
  SearchSubtreeInput,
} from './types.js'

const START: FillPosition = { after: null, done: 0 }

/**
 * The activities of the workflows `searchIndex` and `searchSubtree`: thin, each one call of the core.
 *
 * @param sidesOf the indexes of a repository, the default one's without a name; undefined where there are none.
 * @param startSubtree starts the workflow that indexes a subtree, unless it is running.
 */
export const createSearchIndexActivities = (
  sidesOf: (repository: string | undefined) => IndexSides | undefined,
  startSubtree: (input: SearchSubtreeInput) => Promise<void>,
): SearchIndexActivities & SearchSubtreeActivities => {
  const sides = ({ repository }: SearchIndexInput): IndexSides => {
    const found = sidesOf(repository)
    if (!found) throw fail('invalid', 'ELASTICSEARCH_URL: this worker has no search engine')
    return found
  }
  return {
    beginSearchIndex: (input) => failing(() => beginIndex(sides(input), input.index)),
    fillSearchIndex: (input) =>
      failing(() =>
        withHeartbeat((report) => {
          const from = (Context.current().info.heartbeatDetails as FillPosition | undefined) ?? START
          const { cancellationSignal: signal } = Context.current()
          return fillIndex(sides(input), input.index, { from, report, signal })
        }),
      ),
    promoteSearchIndex: (input) =>
      failing(() =>
        withHeartbeat(async () => {
          await catchUp(sides(input), input.index, {
            subtree: (task) => startSubtree({ ...input, task }),
            signal: Context.current().cancellationSignal,
          })
          await promoteIndex(sides(input), input.index)
        }),
      ),
    bringSearchSubtree: (input) =>
      failing(() =>
        withHeartbeat((report) => {
          const from =
            (Context.current().info.heartbeatDetails as SubtreePosition | undefined) ?? SUBTREE_START
          const { cancellationSignal: signal } = Context.current()
          return bringSubtree(sides(input), input, { from, report, signal })
        }),
      ),
    dropSearchIndex: (input) => failing(() => dropIndex(sides(input), input.index)),
  }
}
