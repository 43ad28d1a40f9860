import type { TransactionSql } from 'postgres'
import type { PermissionModel, Principal } from '../../../core/access/security/index.js'
import type { DocumentStore } from '../../../core/content/documents/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Sql } from '../database.js'
import { databaseFailure } from '../failures.js'
import { createMailQueue } from '../mail/index.js'
import { madeOfParts } from '../parts.js'
import { type AclCache, createAcls } from './acls.js'
import { createComments } from './comments.js'
import { createCounters } from './counters.js'
import { createImport } from './import.js'
import { createLifecycle } from './lifecycle.js'
import { createMemberships } from './memberships.js'
import { createProxies } from './proxies.js'
import { createReach, type GatheredFor, type Reaches } from './reach.js'
import { createReads, type PreparedTexts } from './read.js'
import type { Scopes } from './scopes.js'
import { createStructure } from './structure.js'
import { createTags } from './tags.js'
import { createVersions } from './versions.js'
import { createWrites } from './write.js'

/** The driver's error as one that core rules know, when the whole transaction is to be done again. */
const lostRace = (error: unknown): unknown => {
  const failure = databaseFailure(error)
  return failure?.code === 'conflict' || failure?.code === 'unavailable'
    ? fail(failure.code, failure.message, { cause: error, retryable: true })
    : error
}

/** One after the other, however many ask at once: savepoints of one connection are a stack. */
const inTurn = (attempt: DocumentStore['attempt']): DocumentStore['attempt'] => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(() => attempt(work))
    last = own.catch(() => undefined)
    return own
  }
}

type StoreOptions = {
  sql: Sql
  principal: Principal
  permissions: PermissionModel
  aclCache: AclCache
  /** Of all stores on one database; absent: of this store alone. */
  preparedTexts?: PreparedTexts
  /** Of all stores on one database; absent: of this store alone. */
  reaches?: Reaches
  /** Absent: each statement gathers the scopes itself. */
  gathered?: GatheredFor
  /** Largest subtree that a new ACL writes to at once; what is larger is left to the upkeep. */
  maxEagerDocuments?: number
  /** Every document that is read is held against other writers until the transaction ends. */
  holdsRows?: boolean
}

/** Savepoints of a store's transaction, each with a store of its own. */
const attemptOn = (options: StoreOptions): DocumentStore['attempt'] =>
  inTurn(async (work) => {
    try {
      // Outside of a transaction there is nothing to go back to, and nobody calls this there.
      return (await (options.sql as TransactionSql).savepoint((inner) =>
        work(createDocumentStore({ ...options, sql: inner })),
      )) as Awaited<ReturnType<typeof work>>
    } catch (error) {
      throw lostRace(error)
    }
  })

type Options = StoreOptions & Required<Pick<StoreOptions, 'preparedTexts' | 'reaches' | 'gathered'>>

const storeOf = madeOfParts<Options, DocumentStore & { scopes: Scopes }>()({
  reads: ({ sql, holdsRows = false, preparedTexts }) => createReads(sql, { holdsRows, preparedTexts }),
  reach: ({ sql, principal, reaches, gathered }) => createReach(sql, { principal, reaches, gathered }),
  writes: ({ sql, principal }) => createWrites(sql, principal),
  acls: ({ sql, permissions, aclCache, maxEagerDocuments }) =>
    createAcls(sql, { permissions, cache: aclCache, maxEagerDocuments }),
  import: ({ sql, principal }) => createImport(sql, principal),
  tags: ({ sql }) => createTags(sql),
  memberships: ({ sql }) => createMemberships(sql),
  comments: ({ sql }) => createComments(sql),
  counters: ({ sql }) => createCounters(sql),
  structure: ({ sql }, { scopes, emit }) => createStructure(sql, scopes, emit),
  versions: ({ sql }, { emit }) => createVersions(sql, emit),
  proxies: ({ sql }) => createProxies(sql),
  lifecycle: ({ sql, principal }) => createLifecycle(sql, principal),
  mail: ({ sql, principal }) => createMailQueue(sql, principal),
  savepoints: (options) => ({ attempt: attemptOn(options) }),
})

/** The repository on PostgreSQL, bound to one transaction (or, for reads, to the pool) and one principal. */
export const createDocumentStore = (options: StoreOptions): DocumentStore =>
  storeOf({ preparedTexts: new Set(), reaches: new Map(), gathered: () => undefined, ...options })
