import type { Housekeeping } from '../core/automation/run-store/index.js'
import type { Collected } from '../core/files/blobs/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { HousekeepingActivities } from './types.js'

/**
 * @param collectBlobs removes files that nothing names.
 * @param removeUploads removes what has expired of transient stores.
 */
export const createHousekeepingActivities = (
  { removeExpired }: Housekeeping,
  collectBlobs: () => Promise<Collected>,
  removeUploads: () => Promise<number>,
): HousekeepingActivities => ({
  removeExpired: () => failing(async () => ({ ...(await removeExpired()), uploads: await removeUploads() })),
  collectBlobs: () => failing(() => withHeartbeat(collectBlobs)),
})
