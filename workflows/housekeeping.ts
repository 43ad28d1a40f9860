import { proxyActivities } from '@temporalio/workflow'
import type { HousekeepingActivities } from '../activities/types.js'
import type { Removed } from '../core/automation/run-store/index.js'

const { removeExpired } = proxyActivities<HousekeepingActivities>({
  startToCloseTimeout: '30 minutes',
  retry: { initialInterval: '10s', maximumAttempts: 5 },
})

/** Removes what finished runs have left behind; started by a schedule. */
export async function housekeeping(): Promise<Removed> {
  return removeExpired()
}
