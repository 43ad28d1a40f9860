import type { AccessUpkeep, PermissionModel, PointedScopes } from '../../../../core/access/security/index.js'
import type { Database } from '../../connection/index.js'
import { refreshAceStatuses } from './ace-status.js'
import { deriveAclsAnew } from './effective-acls.js'
import { pointScopes } from './point-scopes.js'

/**
 * The upkeep of access rights in all repositories.
 *
 * @param permissions those of this deployment, with everything that was deployed before the call.
 */
export const createAccessUpkeep = (
  databases: readonly Database[],
  permissions: () => Promise<PermissionModel>,
): AccessUpkeep => ({
  deriveAcls: async () => {
    const model = await permissions()
    let derived = 0
    for (const database of databases)
      derived += await database.transaction((sql) => deriveAclsAnew(sql, model))
    return derived
  },
  refreshStatuses: async () => {
    let emitted = 0
    for (const database of databases) emitted += await refreshAceStatuses(database)
    return emitted
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
