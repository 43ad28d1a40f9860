import { afterAll } from 'vitest'
import type { Principal } from '../../../../core/access/security/index.js'
import type { ContentScope, OpenContent } from '../../../../storage/contract/content/index.js'
import {
  applyFulltextRules,
  createContentStores,
  createDatabase,
  createMailStore,
  createScopesGathered,
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
        principal,
        permissions,
        aclCache,
        queryMemory,
        holdsRows: isContended,
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
