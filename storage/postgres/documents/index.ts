import type { DocumentStore } from '../../../core/documents/index.js'
import type { PermissionModel, Principal } from '../../../core/security/index.js'
import type { Sql } from '../database.js'
import { type AclCache, createAcls } from './acls.js'
import { createMemberships } from './memberships.js'
import { createReads } from './read.js'
import { createStructure } from './structure.js'
import { createTags } from './tags.js'
import { createWrites } from './write.js'

/** The repository on PostgreSQL, bound to one transaction (or, for reads, to the pool) and one principal. */
export const createDocumentStore = ({
  sql,
  principal,
  permissions,
  aclCache,
  holdsRows = false,
}: {
  sql: Sql
  principal: Principal
  permissions: PermissionModel
  aclCache: AclCache
  /** Every document that is read is held against other writers until the transaction ends. */
  holdsRows?: boolean
}): DocumentStore => {
  const { recompute, ...acls } = createAcls(sql, { permissions, cache: aclCache })
  const writes = createWrites(sql, principal)
  return {
    ...createReads(sql, { holdsRows }),
    ...writes,
    ...acls,
    ...createTags(sql),
    ...createMemberships(sql),
    ...createStructure(sql, recompute, writes.emit),
  }
}
