import type { Housekeeping } from '../core/automation/run-store/index.js'
import { failing } from './failure.js'
import type { HousekeepingActivities } from './types.js'

export const createHousekeepingActivities = ({ removeExpired }: Housekeeping): HousekeepingActivities => ({
  removeExpired: () => failing(removeExpired),
})
