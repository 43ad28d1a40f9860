import { afterAll } from 'vitest'
import { type PermissionModel, type Principal, SYSTEM } from '../../../../core/access/security/index.js'
import type { Session } from '../../../../core/content/documents/index.js'
import type { QueryBackend, SearchedStores } from '../../../../core/content/stores/index.js'
import type { ContentScope, OpenContent } from '../../../../storage/contract/content/index.js'
import type { OpenExecution, OpenMain } from '../../../../storage/contract/index.js'
import type { OpenOutbox } from '../../../../storage/contract/outbox-relay.js'
import {
  applyFulltextRules,
  createContentStores,
  createContributionStore,
  createDatabase,
  createDirectoryLoader,
  createDirectoryStore,
  createHousekeeping,
  createIdentityStore,
  createLoginTries,
  createMailStore,
  createOpenRunStore,
  createOutboxRelay,
  createScopesGathered,
  createUnitsOfWork,
  createWatchHolding,
  createWriteLedger,
  type Database,
  inSavepoint,
  type QueryMemory,
  type Sql,
} from '../../../../storage/postgres/index.js'
import { createTestDatabase } from '../../../support/index.js'
import { untilReadable } from '../../support/outbox-support.js'

/** A database of its own for the tests of a file. To be called at the top level of the file. */
export const openDatabase = async (): Promise<Database> => {
  const { url } = await createTestDatabase()
  const database = createDatabase({ url, poolSize: 10 })
  afterAll(() => database.close())
  return database
}

/** As `openContent`, with the database that it is on. */
export const openContentOn = async (
  database: Database,
  { model, permissions }: Parameters<OpenContent>[0],
  search?: (stores: Pick<SearchedStores, 'queries' | 'documents' | 'isTransaction'>) => QueryBackend,
): ReturnType<OpenContent> => {
  await database.transaction((sql) => applyFulltextRules(sql, model.fulltext))
  const aclCache = new Map()
  const gathered = createScopesGathered(database.sql)
  const poolMemory: QueryMemory = { preparedTexts: new Set(), reaches: new Map(), gathered: gathered.gather }
  const scopeOn = (sql: Sql, principal: Principal, isContended: boolean): ContentScope => {
    const queryMemory = sql === database.sql ? poolMemory : { ...poolMemory, gathered: gathered.known }
    return {
      stores: createContentStores({
        sql,
        refuseWaiting: database.refuseWaiting,
        principal,
        permissions,
        aclCache,
        queryMemory,
        holdsRows: isContended,
        ...(search && {
          searchOn: ({ queries, documents }) =>
            search({ queries, documents, isTransaction: sql !== database.sql }),
        }),
      }),
      attempt: (work) => inSavepoint(sql, (inner) => work(scopeOn(inner, principal, isContended))),
    }
  }
  return {
    transaction: (principal, work) =>
      database.transaction((sql, isContended) => work(scopeOn(sql, principal, isContended))),
    reading: (principal) => scopeOn(database.sql, principal, false).stores,
    events: () => database.sql`
      SELECT event, document_id AS "documentId", payload, principal FROM outbox ORDER BY id`,
    mails: createMailStore(database.sql),
    settled: async () => undefined,
  }
}

export const openContent: OpenContent = async (rules) => openContentOn(await openDatabase(), rules)

/** What all repositories share: users, groups, directories and contributions, for two processes. */
export const openMain: OpenMain = async () => {
  const { url } = await createTestDatabase()
  const [here, there] = [createDatabase({ url, poolSize: 10 }), createDatabase({ url, poolSize: 10 })]
  afterAll(() => Promise.all([here.close(), there.close()]))
  return {
    identities: createIdentityStore(here.sql),
    directories: { store: createDirectoryStore(here.sql), loader: createDirectoryLoader(here.sql) },
    contributions: [createContributionStore(here), createContributionStore(there)],
    loginTries: [createLoginTries(here.sql), createLoginTries(there.sql)],
    writeLedgers: [createWriteLedger(here), createWriteLedger(there)],
    openRuns: {
      runs: [createOpenRunStore(here.sql), createOpenRunStore(there.sql)],
      others: createOpenRunStore(here.sql, 'conversion'),
    },
  }
}

/** Moments that say how old something is, by table. */
const MOMENTS = {
  transient_entries: 'expires_at',
  receipts: 'created_at',
  loop_progress: 'updated_at',
  inline_runs: 'closed_at',
  run_incidents: 'at',
  bulk_commands: 'completed_at',
  open_runs: 'begun_at',
  outbox: 'created_at',
}

export const openExecution: OpenExecution = async () => {
  const database = await openDatabase()
  const queryMemory: QueryMemory = { preparedTexts: new Set(), reaches: new Map(), gathered: () => undefined }
  // Of a session, what runs keep are its events and mails.
  const sessionOn = (sql: Sql): Session => {
    const principal = SYSTEM
    const permissions = {} as PermissionModel
    const stores = createContentStores({ sql, principal, permissions, aclCache: new Map(), queryMemory })
    return { principal, listeners: { of: () => [] }, stores } as unknown as Session
  }
  const units = createUnitsOfWork(database, {
    sessionOn,
    sharing: (_, work) => work(),
    readSession: () => sessionOn(database.sql),
    watchHolding: createWatchHolding(30),
  })
  return {
    transaction: (work) =>
      units.transaction(SYSTEM, (unit) => {
        const { outbox, mail } = unit.session.stores
        const more = { emit: outbox.emit, enqueue: mail.enqueue }
        return work(
          new Proxy(unit, { get: (_, name) => Reflect.get(name in more ? more : unit, name) }) as never,
        )
      }),
    reading: units.reading(SYSTEM),
    housekeeping: createHousekeeping([database]),
    age: async (days) => {
      for (const [table, moment] of Object.entries(MOMENTS))
        await database.sql.unsafe(`UPDATE ${table} SET ${moment} = ${moment} - interval '${days} days'`)
    },
  }
}

/** Readers share no connections, as those of two processes would not. */
export const openOutbox: OpenOutbox = async () => {
  const { url } = await createTestDatabase()
  const [writing, ...reading] = [1, 2, 3].map(() => createDatabase({ url, poolSize: 5 }))
  afterAll(() => Promise.all([writing, ...reading].map((database) => database!.close())))
  const principal = SYSTEM
  const queryMemory: QueryMemory = { preparedTexts: new Set(), reaches: new Map(), gathered: () => undefined }
  const outboxOn = (sql: Sql) =>
    createContentStores({
      sql,
      principal,
      permissions: {} as PermissionModel,
      aclCache: new Map(),
      queryMemory,
    }).outbox
  let opened = 0
  return {
    transaction: (work) => writing!.transaction((sql) => work(outboxOn(sql))),
    open: (name, options) => {
      const { next, skip } = createOutboxRelay(reading[opened++ % reading.length]!, name, options)
      return { next: (limit, work) => next(limit, (events, sql) => work(events, outboxOn(sql))), skip }
    },
    settled: () => untilReadable(writing!.sql),
    principal: principal.name,
  }
}
