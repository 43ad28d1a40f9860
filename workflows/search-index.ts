import {
  ActivityFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { SearchIndexActivities, SearchIndexInput } from '../activities/types.js'

/** The search engine comes back; the heartbeats keep where the filling stands. */
const { beginSearchIndex, fillSearchIndex, promoteSearchIndex, dropSearchIndex } =
  proxyActivities<SearchIndexActivities>({
    startToCloseTimeout: '24 hours',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
  })

/**
 * Builds a new index of a repository beside the one that answers searches, which goes on until the new one has caught
 * up and takes its place.
 *
 * @returns how many documents were indexed.
 */
export async function searchIndex(input: SearchIndexInput): Promise<{ indexed: number }> {
  try {
    const total = await beginSearchIndex(input)
    setCurrentDetails(`filling: ${total} documents`)
    const indexed = await fillSearchIndex(input)
    setCurrentDetails(`catching up after ${indexed} documents`)
    await promoteSearchIndex(input)
    setCurrentDetails(`live with ${indexed} documents`)
    return { indexed }
  } catch (error) {
    if (isCancellation(error) || error instanceof ActivityFailure)
      await CancellationScope.nonCancellable(() => dropSearchIndex(input))
    throw error
  }
}
