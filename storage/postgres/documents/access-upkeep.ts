import type { AccessUpkeep, PointedScopes } from '../../../core/security/index.js'
import type { Database } from '../database.js'
import { refreshAceStatuses } from './ace-status.js'
import { pointScopes } from './point-scopes.js'

/** The upkeep of access rights in all repositories. */
export const createAccessUpkeep = (databases: readonly Database[]): AccessUpkeep => ({
  refreshStatuses: async () => {
    let told = 0
    for (const database of databases) told += await refreshAceStatuses(database)
    return told
  },
  pointScopes: async () => {
    const all: PointedScopes = { pointed: 0, left: 0 }
    for (const database of databases) {
      const { pointed, left } = await pointScopes(database)
      all.pointed += pointed
      all.left += left
    }
    return all
  },
})
