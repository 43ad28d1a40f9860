import type { IdentityStore } from '../../../core/access/identity/index.js'
import type { Sql } from '../connection/index.js'
import { inTransaction } from '../connection/index.js'
import { INTO_OUTBOX, named } from '../rows/index.js'
import { createGroupStore } from './groups.js'
import { createMembershipStore } from './memberships.js'
import { createUserStore } from './users.js'

/** Notified, by triggers, of every change of users, groups and memberships that is committed. */
export const IDENTITY_CHANNEL = 'archivolt_identities'

/** Users and groups in the main database, on the pool or in one transaction. */
export const createIdentityStore = (sql: Sql): IdentityStore => ({
  ...createUserStore(sql),
  ...createGroupStore(sql),
  ...createMembershipStore(sql),

  emit: async (by, events) => {
    await named(sql)`
        INSERT INTO ${INTO_OUTBOX}
        SELECT e.event, e."documentId"::uuid, ${by}, e.payload
        FROM jsonb_to_recordset(${sql.json(events as never)}) AS e(event text, "documentId" text, payload jsonb)`
  },

  atomically: (work) => inTransaction(sql, (tx) => work(createIdentityStore(tx))),
})
