import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { UnitsOfWork } from '../../core/automation/index.js'
import { type BlobStore, createFileBlobStore } from '../../core/blobs/index.js'
import { buildContentModel, buildPermissionModel, type ContentModel } from '../../core/content-model/index.js'
import type { Contributions } from '../../core/contributions/index.js'
import type { DocumentStore, Session } from '../../core/documents/index.js'
import { type Authenticator, createAuthenticator, FIRST_ADMINISTRATOR } from '../../core/identity/index.js'
import { type PermissionModel, type Principal, SYSTEM } from '../../core/security/index.js'
import type { Settings } from '../../core/settings/index.js'
import type { HealthCheck } from '../../core/telemetry/index.js'
import { migrate } from '../../schema/index.js'
import {
  type AclCache,
  createDatabase,
  createDocumentStore,
  createIdentityStore,
  createUnitsOfWork,
  type Database,
  type Sql,
} from '../postgres/index.js'
import { loadConfiguration } from './configuration.js'
import { seed } from './first-start.js'

/** What a process of the product, API or worker, is built from. */
export type Platform = {
  settings: Settings
  logger: Logger
  database: Database
  contributions: Contributions
  model: ContentModel
  permissions: PermissionModel
  blobs: BlobStore
  authenticator: Authenticator
  healthChecks: readonly HealthCheck[]
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
  close(): Promise<void>
}

/** Any number will do, as long as every process of the product uses the same one. */
const SEED_LOCK = 7_274_502

/**
 * Builds the product on PostgreSQL and a folder of blobs. The first process to do so on a new database makes
 * its tables, groups, administrator and default content; those that start beside it wait.
 *
 * @param options a process whose log nobody watches leaves the administrator, and the password, to another.
 * @throws invalid for a broken configuration, or the driver's error when the database cannot be reached.
 */
export const createPlatform = async (
  settings: Settings,
  logger: Logger,
  { makesAdministrator = true }: { makesAdministrator?: boolean } = {},
): Promise<Platform> => {
  const contributions = await loadConfiguration(settings.config)
  const model = buildContentModel(contributions)
  const permissions = buildPermissionModel(contributions)
  await migrate(settings.databaseUrl)

  const database = createDatabase({
    url: settings.databaseUrl,
    poolSize: settings.databasePool,
    isTraced: settings.tracing.isEnabled,
  })
  const aclCache: AclCache = new Map()
  const storeOn = (sql: Sql, principal: Principal, holdsRows = false): DocumentStore =>
    createDocumentStore({ sql, principal, permissions, aclCache, holdsRows })
  const sessionWith = (store: DocumentStore, principal: Principal): Session => ({
    principal,
    store,
    model,
    permissions,
    now: new Date(),
  })
  const sessionOn = (sql: Sql, principal: Principal, holdsRows = false): Session =>
    sessionWith(storeOn(sql, principal, holdsRows), principal)
  // Outside transactions a store is bound to nothing but its principal, which authentication remembers: making
  // one for each request cost more than writing the document.
  const poolStores = new WeakMap<Principal, DocumentStore>()
  const poolSession = (principal: Principal): Session => {
    const store = poolStores.get(principal) ?? storeOn(database.sql, principal)
    poolStores.set(principal, store)
    return sessionWith(store, principal)
  }
  const blobFolder = join(settings.home, 'blobs')
  await firstStart({ database, contributions, sessionOn, settings, logger, makesAdministrator })

  return {
    settings,
    logger,
    database,
    contributions,
    model,
    permissions,
    blobs: createFileBlobStore({ folder: blobFolder }),
    authenticator: createAuthenticator({ store: createIdentityStore(database.sql) }),
    healthChecks: [databaseCheck(database), blobFolderCheck(blobFolder)],
    withSession: (principal, work) =>
      database.transaction((sql, isContended) => work(sessionOn(sql, principal, isContended), sql)),
    withSingleWrite: (principal, work) =>
      database.singleWrite(
        () => work(poolSession(principal)),
        (sql) => work(sessionOn(sql, principal, true)),
      ),
    readSession: poolSession,
    units: createUnitsOfWork(database, sessionOn),
    close: database.close,
  }
}

const firstStart = async ({
  database,
  contributions,
  sessionOn,
  settings,
  logger,
  makesAdministrator,
}: Pick<Platform, 'database' | 'contributions' | 'settings' | 'logger'> & {
  makesAdministrator: boolean
  sessionOn: (sql: Sql, principal: Principal) => Session
}): Promise<void> => {
  const generated = await database.transaction(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${SEED_LOCK})`
    return seed({
      session: sessionOn(sql, SYSTEM),
      identities: createIdentityStore(sql),
      contributions,
      administrator: makesAdministrator ? { password: settings.adminPassword } : undefined,
    })
  })
  if (generated === undefined) return
  logger.warn(
    { username: FIRST_ADMINISTRATOR, password: generated },
    'first administrator made with a generated password, shown only now; ARCHIVOLT_ADMIN_PASSWORD sets it at a first start',
  )
}

const databaseCheck = ({ sql }: Database): HealthCheck => ({
  name: 'database',
  isRequired: true,
  check: async () => {
    await sql`SELECT 1`
  },
})

const blobFolderCheck = (folder: string): HealthCheck => ({
  name: 'blobs',
  isRequired: true,
  check: async () => {
    const probe = join(folder, 'tmp', `probe-${randomUUID()}`)
    await mkdir(join(folder, 'tmp'), { recursive: true })
    await writeFile(probe, '')
    await rm(probe)
  },
})
