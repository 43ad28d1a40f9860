import type { UnitOfWork, UnitsOfWork } from '../../core/automation/index.js'
import type { ContentModel } from '../../core/content-model/index.js'
import type { PermissionModel, Principal } from '../../core/security/index.js'
import { createReceipts } from './automation/receipts.js'
import { createTransientStore } from './automation/transient.js'
import type { Database, Sql } from './database.js'
import type { AclCache } from './documents/acls.js'
import { createDocumentStore } from './documents/index.js'

/** Opens units of work on a database, each with the whole product's stores bound to its transaction. */
export const createUnitsOfWork = ({
  database,
  model,
  permissions,
}: {
  database: Database
  model: ContentModel
  permissions: PermissionModel
}): UnitsOfWork => {
  const aclCache: AclCache = new Map()

  const unit = (sql: Sql, principal: Principal): UnitOfWork => ({
    session: {
      principal,
      model,
      permissions,
      now: new Date(),
      store: createDocumentStore({ sql, principal, permissions, aclCache }),
    },
    transient: createTransientStore(sql),
    receipts: createReceipts(sql),
  })

  return {
    transaction: (principal, work) => database.transaction((sql) => work(unit(sql, principal))),
    reading: (principal) => unit(database.sql as unknown as Sql, principal),
  }
}
