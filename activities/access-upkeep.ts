import { Context } from '@temporalio/activity'
import type { AccessUpkeep } from '../core/access/security/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { AccessUpkeepActivities } from './types.js'

/** @param limitTaskGrants takes back what tasks grant for longer than who has started their workflow may. */
export const createAccessUpkeepActivities = (
  { deriveAcls, refreshStatuses, pointScopes }: AccessUpkeep,
  limitTaskGrants: (signal: AbortSignal) => Promise<void>,
): AccessUpkeepActivities => ({
  deriveAcls: () => failing(() => withHeartbeat(deriveAcls)),
  refreshAceStatuses: () =>
    failing(() =>
      withHeartbeat(async () => {
        const emitted = await refreshStatuses()
        // Rights that have ended by a date are what it looks for. In an activity of its own, open runs could not replay.
        await limitTaskGrants(Context.current().cancellationSignal)
        return emitted
      }),
    ),
  pointAclScopes: () => failing(() => withHeartbeat(pointScopes)),
})
