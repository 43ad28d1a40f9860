import { proxyActivities } from '@temporalio/workflow'
import type { HousekeepingActivities } from '../activities/types.js'
import type { Collected } from '../core/files/blobs/index.js'

const { collectBlobs } = proxyActivities<Pick<HousekeepingActivities, 'collectBlobs'>>({
  startToCloseTimeout: '12 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1m', maximumAttempts: 5 },
})

/** Removes files that nothing names; started by a schedule. */
export async function blobCollection(): Promise<Collected> {
  return collectBlobs()
}
