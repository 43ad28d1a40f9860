import type { PermissionModel } from '../../../../core/access/security/index.js'
import { repairs } from '../../../../schema/repairs.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'
import { createAclCache, createEffectiveAcls } from './effective-acls.js'
import { createScopes } from './scopes.js'

const REPAIRS = tableOf(repairs)
const REPAIR = columnsOf(repairs)

/** Release 0.1.0 gave `/p/a/b` the ACL of `/p` instead of that of `/p/a` when the ACL of `/p` changed beside a `/p/a-b`. */
const NAME = 'scopes-beside-one-another'

/**
 * Computes what is in force in each scope again, once in the life of a database: release 0.1.0 has left wrong ones.
 * There are as many scopes as documents with ACLs of their own; 100,000 that are all wrong take 20 s on a busy machine.
 *
 * @param sql a transaction that no other process runs at the same time.
 */
export const repairScopes = async (sql: Sql, permissions: PermissionModel): Promise<void> => {
  const begun = await named(sql)`
    INSERT INTO ${REPAIRS} (${REPAIR.name}) VALUES (${NAME}) ON CONFLICT DO NOTHING RETURNING ${REPAIR.name}`
  if (begun.count === 0) return
  const effectiveAcls = createEffectiveAcls(sql, { permissions, cache: createAclCache() })
  await createScopes(sql, { permissions, effectiveAcls }).recomputeAll()
}
