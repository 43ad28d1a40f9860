import type { UnitOfWork, UnitsOfWork } from '../../core/automation/index.js'
import { type Session, tellSaved } from '../../core/documents/index.js'
import type { Principal } from '../../core/security/index.js'
import { createReceipts } from './automation/receipts.js'
import { createTransientStore } from './automation/transient.js'
import type { Database, Sql } from './database.js'

/** Opens units of work on a database: sessions with the stores of execution bound to the same transaction. */
export const createUnitsOfWork = (
  database: Database,
  sessionOn: (sql: Sql, principal: Principal, holdsRows: boolean) => Session,
): UnitsOfWork => {
  const unit = (sql: Sql, principal: Principal, holdsRows: boolean): UnitOfWork => ({
    session: sessionOn(sql, principal, holdsRows),
    transient: createTransientStore(sql),
    receipts: createReceipts(sql),
  })
  return {
    transaction: (principal, work) =>
      database.transaction(async (sql, isContended) => {
        const opened = unit(sql, principal, isContended)
        const result = await work(opened)
        await tellSaved(opened.session)
        return result
      }),
    reading: (principal) => unit(database.sql, principal, false),
  }
}
