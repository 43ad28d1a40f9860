import { proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import type { SearchSubtreeActivities, SearchSubtreeInput } from '../activities/types.js'

/** The search engine comes back; the heartbeats keep where the indexing stands. */
const { bringSearchSubtree } = proxyActivities<SearchSubtreeActivities>({
  startToCloseTimeout: '24 hours',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
})

/**
 * Indexes what is below a document that was moved, renamed, trashed or removed, or whose rights have changed. Until it
 * ends the index counts as not notified of that.
 *
 * @returns how many documents were indexed.
 */
export async function searchSubtree(input: SearchSubtreeInput): Promise<{ indexed: number }> {
  const indexed = await bringSearchSubtree(input)
  setCurrentDetails(`indexed ${indexed} documents`)
  return { indexed }
}
