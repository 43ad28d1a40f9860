import type { IdentityStore } from '../../../core/identity/index.js'
import type { Sql } from '../database.js'
import { createGroupStore } from './groups.js'
import { createMembershipStore } from './memberships.js'
import { createUserStore } from './users.js'

/** Users and groups in the main database, on the pool or in one transaction. */
export const createIdentityStore = (sql: Sql): IdentityStore => ({
  ...createUserStore(sql),
  ...createGroupStore(sql),
  ...createMembershipStore(sql),
})
