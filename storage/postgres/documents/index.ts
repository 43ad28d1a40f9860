import type { DocumentStore } from '../../../core/documents/index.js'
import type { PermissionModel, Principal } from '../../../core/security/index.js'
import type { Sql } from '../database.js'
import { type AclCache, createAcls } from './acls.js'
import { createReads } from './read.js'
import { createStructure } from './structure.js'
import { createWrites } from './write.js'

/** The repository on PostgreSQL, bound to one transaction (or, for reads, to the pool) and one principal. */
export const createDocumentStore = ({
  sql,
  principal,
  permissions,
  aclCache,
}: {
  sql: Sql
  principal: Principal
  permissions: PermissionModel
  aclCache: AclCache
}): DocumentStore => {
  const { recompute, ...acls } = createAcls(sql, { permissions, cache: aclCache })
  const writes = createWrites(sql, principal)
  return { ...createReads(sql), ...writes, ...acls, ...createStructure(sql, recompute, writes.emit) }
}
