import { Context } from '@temporalio/activity'
import type { Housekeeping } from '../core/automation/run-store/index.js'
import type { Collected } from '../core/files/blobs/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { BlobCollectionInput, HousekeepingActivities } from './types.js'

/**
 * @param collectBlobs removes files that nothing names, or counts them.
 * @param removeUploads removes what has expired of transient stores.
 * @param purgeRoutes removes document workflows whose documents are gone.
 */
export const createHousekeepingActivities = (
  { removeExpired }: Housekeeping,
  collectBlobs: (input: BlobCollectionInput) => Promise<Collected>,
  removeUploads: () => Promise<number>,
  purgeRoutes: (signal: AbortSignal) => Promise<number>,
): HousekeepingActivities => ({
  removeExpired: () =>
    failing(async () => ({
      ...(await removeExpired()),
      uploads: await removeUploads(),
      routes: await purgeRoutes(Context.current().cancellationSignal),
    })),
  collectBlobs: (input = { isDryRun: false }) => failing(() => withHeartbeat(() => collectBlobs(input))),
})
