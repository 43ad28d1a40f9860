import type { UnitsOfWork } from '../../core/automation/index.js'
import type { DocumentStore, Session } from '../../core/documents/index.js'
import type { Principal } from '../../core/security/index.js'
import {
  type AclCache,
  createDocumentStore,
  createUnitsOfWork,
  type Database,
  type Sql,
} from '../postgres/index.js'
import { mainDataOn } from './main-data.js'

/** One set of documents: everything that a unit of work on it reads and writes is in one database. */
export type Repository = {
  name: string
  /** Runs work in one transaction, again when it lost against another: see `Database.transaction`. */
  withSession<Result>(
    principal: Principal,
    work: (session: Session, sql: Sql) => Promise<Result>,
  ): Promise<Result>
  /** Runs work whose only write is one statement, outside a transaction: see `Database.singleWrite`. */
  withSingleWrite<Result>(principal: Principal, work: (session: Session) => Promise<Result>): Promise<Result>
  /** A session for reading, each statement on its own. */
  readSession(principal: Principal): Session
  /** Transactions that also reach the receipts and the transient store of runs. */
  units: UnitsOfWork
  database: Database
}

/** Opens sessions on the repository that a database holds. */
export const createRepository = ({
  name,
  database,
  parts,
  users,
}: {
  name: string
  database: Database
  parts: Pick<Session, 'model' | 'permissions' | 'contributions'>
  /** Where users are kept, when that is not in the same database. */
  users?: Sql | undefined
}): Repository => {
  const aclCache: AclCache = new Map()
  const storeOn = (sql: Sql, principal: Principal, holdsRows = false): DocumentStore =>
    createDocumentStore({ sql, principal, permissions: parts.permissions, aclCache, holdsRows })
  const pooledMainData = mainDataOn(users ?? database.sql, parts)
  const sessionWith = (sql: Sql, store: DocumentStore, principal: Principal): Session => {
    const mainData = users || sql === database.sql ? pooledMainData : mainDataOn(sql, parts)
    return {
      principal,
      repository: name,
      store,
      ...parts,
      get identities() {
        return mainData.identities
      },
      get directories() {
        return mainData.directories
      },
      now: new Date(),
    }
  }
  const sessionOn = (sql: Sql, principal: Principal, holdsRows = false): Session =>
    sessionWith(sql, storeOn(sql, principal, holdsRows), principal)
  // Outside transactions a store is bound to nothing but its principal, which authentication remembers: making
  // one for each request cost more than writing the document.
  const poolStores = new WeakMap<Principal, DocumentStore>()
  const poolSession = (principal: Principal): Session => {
    const store = poolStores.get(principal) ?? storeOn(database.sql, principal)
    poolStores.set(principal, store)
    return sessionWith(database.sql, store, principal)
  }
  return {
    name,
    database,
    withSession: (principal, work) =>
      database.transaction((sql, isContended) => work(sessionOn(sql, principal, isContended), sql)),
    withSingleWrite: (principal, work) =>
      database.singleWrite(
        () => work(poolSession(principal)),
        (sql) => work(sessionOn(sql, principal, true)),
      ),
    readSession: poolSession,
    units: createUnitsOfWork(database, sessionOn),
  }
}
