import { afterAll } from 'vitest'
import { type Principal, SYSTEM } from '../../../../core/access/security/index.js'
import type { Session } from '../../../../core/content/documents/index.js'
import type { QueryBackend, SearchedStores } from '../../../../core/content/stores/index.js'
import type { ContentScope, OpenContent } from '../../../../storage/contract/content/index.js'
import type { OpenExecution, OpenMain } from '../../../../storage/contract/index.js'
import {
  applyFulltextRules,
  createContentStores,
  createContributionStore,
  createDatabase,
  createDirectoryLoader,
  createDirectoryStore,
  createIdentityStore,
  createMailStore,
  createScopesGathered,
  createUnitsOfWork,
  type Database,
  inSavepoint,
  type QueryMemory,
  type Sql,
} from '../../../../storage/postgres/index.js'
import { createTestDatabase } from '../../../support/index.js'

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
  }
}

export const openExecution: OpenExecution = async () => {
  const database = await openDatabase()
  // Sessions are no part of what runs keep.
  const session = { principal: SYSTEM, listeners: { of: () => [] } } as unknown as Session
  const units = createUnitsOfWork(database, {
    sessionOn: () => session,
    sharing: (_, work) => work(),
    readSession: () => session,
  })
  return {
    transaction: (work) => units.transaction(SYSTEM, work),
    reading: units.reading(SYSTEM),
  }
}
