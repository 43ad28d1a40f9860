import { proxyActivities } from '@temporalio/workflow'
import type { BlobCollectionInput, HousekeepingActivities } from '../activities/types.js'
import type { Collected } from '../core/files/blobs/index.js'

const { collectBlobs } = proxyActivities<Pick<HousekeepingActivities, 'collectBlobs'>>({
  startToCloseTimeout: '12 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1m', maximumAttempts: 5 },
})

/** Removes files that nothing names, or counts them. A schedule starts it without an input. */
export async function blobCollection(input?: BlobCollectionInput): Promise<Collected> {
  return input ? collectBlobs(input) : collectBlobs()
}
