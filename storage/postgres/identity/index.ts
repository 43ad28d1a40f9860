import type { IdentityStore } from '../../../core/identity/index.js'
import type { Sql } from '../database.js'
import { createGroupStore } from './groups.js'
import { createMembershipStore } from './memberships.js'
import { createUserStore } from './users.js'

/** Told, by triggers, of every change of users, groups and memberships that is committed. */
export const IDENTITY_CHANNEL = 'archivolt_identities'

/** Users and groups in the main database, on the pool or in one transaction. */
export const createIdentityStore = (sql: Sql): IdentityStore => ({
  ...createUserStore(sql),
  ...createGroupStore(sql),
  ...createMembershipStore(sql),
})
