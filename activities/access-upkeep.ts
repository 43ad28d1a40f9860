import type { AccessUpkeep } from '../core/access/security/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { AccessUpkeepActivities } from './types.js'

export const createAccessUpkeepActivities = ({
  deriveAcls,
  refreshStatuses,
  pointScopes,
}: AccessUpkeep): AccessUpkeepActivities => ({
  deriveAcls: () => failing(() => withHeartbeat(deriveAcls)),
  refreshAceStatuses: () => failing(() => withHeartbeat(refreshStatuses)),
  pointAclScopes: () => failing(() => withHeartbeat(pointScopes)),
})
