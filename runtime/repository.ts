import { LRUCache } from 'lru-cache'
import type { PasswordPolicy } from '../core/access/identity/index.js'
import type { Principal } from '../core/access/security/index.js'
import { type Heard, subscriptionsRegistry, withSubscriptions } from '../core/automation/events/index.js'
import type { TransactionReach, UnitsOfWork } from '../core/automation/run-store/index.js'
import type { DocumentListeners } from '../core/content/documents/index.js'
import {
  isSessionSavedSubscribed,
  notifySessionSaved,
  type Session,
  type TransactionScope,
} from '../core/content/documents/index.js'
import type { Placeholders } from '../core/content/media/index.js'
import type { OpenSearch } from '../core/content/stores/index.js'
import { type DispatchedStore, storeForFile } from '../core/files/blobs/index.js'
import type { BlobValue, DocumentRecord } from '../core/model/properties/index.js'
import type { WriteBudget } from '../core/platform/limits/index.js'
import type { ExpressionEngine } from '../core/platform/sandbox/expressions/index.js'
import {
  connectionOf,
  createAclCache,
  createLandmarks,
  createReaches,
  createScopesGathered,
  createUnitsOfWork,
  createWatchHolding,
  type Database,
  inSavepoint,
  type QueryMemory,
  reachOf,
  type Sql,
} from '../storage/postgres/index.js'
import { type AfterCommit, awaitedUnits, createAwaiting } from './automation/after-commit.js'
import { backends } from './backends.js'
import type { PlatformSnapshot } from './configuration/snapshots.js'
import { type MainDataChanges, mainDataOn } from './main-data.js'
import { shareQueries } from './share-queries.js'
import { createShares } from './sharing.js'

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

/** Runs what an event starts, in the transaction of the event. */
export type EventChains = { run(reach: TransactionReach, heard: Heard): Promise<void> }

type Pooled = {
  mainData: ReturnType<typeof mainDataOn>
  /** Whose queries wait for a place. */
  readers: WeakMap<Principal, Session>
  /** Of those that hold a place already: waiting for another one, all of a user's would wait for each other. */
  writers: WeakMap<Principal, Session>
}

/** Characters; those with long texts of their own are read each time. */
const REMEMBERED_PARENTS = {
  max: 2_000,
  maxSize: 4_000_000,
  maxEntrySize: 20_000,
  sizeCalculation: (record: DocumentRecord) => JSON.stringify(record).length,
}

/** For asking alone who listens. */
const unheard = async (): Promise<void> => undefined

/** Opens sessions on the repository that a database holds. */
export const createRepository = ({
  name,
  database,
  snapshot,
  users,
  changes,
  passwords,
  listeners,
  eventChains,
  afterCommit,
  expressions,
  search,
  placeBlob,
  placeholders,
  connections,
  holdSeconds,
  writes,
}: {
  name: string
  database: Database
  /** What is configured and deployed at this moment. */
  snapshot(): PlatformSnapshot
  /** Where users are kept, when that is not in the same database. */
  users?: Sql | undefined
  /** Of users, groups and directories. */
  changes: MainDataChanges
  passwords: PasswordPolicy
  /** Notified of what happens to documents, inside its transaction. */
  listeners: DocumentListeners
  eventChains: EventChains
  afterCommit: AfterCommit
  expressions: ExpressionEngine
  search: OpenSearch
  /** Moves a file into another store; undefined where there is one store. */
  placeBlob: DispatchedStore['place'] | undefined
  placeholders: Placeholders
  /** How many there are, and how long one waits for one, milliseconds. */
  connections: { places: number; waitTimeoutMs: number }
  /** How long somebody's transactions may hold what they have changed. */
  holdSeconds: number
  writes: WriteBudget
}): Repository => {
  const shares = createShares(connections)
  const aclCache = createAclCache()
  const scopesGathered = createScopesGathered(database.sql)
  const poolMemory: QueryMemory = {
    preparedTexts: new Set(),
    reaches: createReaches(),
    gathered: scopesGathered.gather,
    landmarks: createLandmarks(),
  }
  // Whoever holds a connection must not wait for another one.
  const transactionMemory: QueryMemory = {
    ...poolMemory,
    gathered: scopesGathered.known,
    // It sees what it has written, wherever a page is.
    landmarks: undefined,
  }
  const writesTogether = backends.content.writesTogether(database)
  const parents = new LRUCache<string, DocumentRecord>(REMEMBERED_PARENTS)
  // Made again with each snapshot, and shared by all sessions that take the same one.
  const pooled = new WeakMap<PlatformSnapshot, Pooled>()
  const pooledOf = (taken: PlatformSnapshot): Pooled => {
    const known = pooled.get(taken)
    if (known) return known
    const made = {
      mainData: mainDataOn(users ?? database.sql, taken, { changes, passwords, isPool: true }),
      readers: new WeakMap(),
      writers: new WeakMap(),
    }
    pooled.set(taken, made)
    return made
  }
  const scopeOn = (
    sql: Sql,
    principal: Principal,
    {
      taken,
      holdsRows,
      isReader = false,
    }: { taken: PlatformSnapshot; holdsRows: boolean; isReader?: boolean },
  ): TransactionScope => {
    const isPool = sql === database.sql
    const { identities, directories } =
      users || isPool
        ? pooledOf(taken).mainData
        : mainDataOn(sql, taken, { changes, passwords, isPool: false })
    return {
      stores: backends.content.createStores({
        ...(isReader && { shareQueries: (own) => shareQueries(own, shares.queries) }),
        shareReads: {
          ...(isPool && { one: (read) => shares.reads(principal, read) }),
          ...(isReader && { many: (read) => shares.queries(principal, read) }),
        },
        searchOn: ({ queries, documents }) =>
          search.on({ repository: name, queries, documents, isTransaction: !isPool }),
        sql,
        refuseWaiting: database.refuseWaiting,
        keyed: isPool ? database.keyed : undefined,
        together: isPool ? writesTogether : undefined,
        principal,
        writes: writes.of(principal),
        permissions: taken.permissions,
        aclCache,
        queryMemory: isPool ? poolMemory : transactionMemory,
        holdsRows,
      }),
      identities,
      directories,
      attempt: (work) => inSavepoint(sql, (inner) => work(scopeOn(inner, principal, { taken, holdsRows }))),
    }
  }
  // Chains that are not notified of what they do are not notified when they do it for somebody else.
  const sessionAs = (within: Session) => (other: Principal) => ({
    ...sessionOn(connectionOf(within.stores), other, { holdsRows: false, within }),
    listeners: within.listeners,
  })
  const sessionWith = (
    sql: Sql,
    principal: Principal,
    {
      taken,
      isContended,
      isReader = false,
      over,
    }: { taken: PlatformSnapshot; isContended: boolean; isReader?: boolean; over?: AbortSignal | undefined },
  ): Session => ({
    ...scopeOn(sql, principal, { taken, holdsRows: isContended, isReader }),
    principal,
    repository: name,
    model: taken.model,
    permissions: taken.permissions,
    contributions: taken.contributions,
    snapshot: taken,
    listeners: withSubscriptions(listeners, taken, (session, call) =>
      eventChains.run(reachOf(session, sessionAs), call),
    ),
    expressions,
    placeholders,
    ...(placeBlob && {
      placeBlob: async (blob: BlobValue, type: string) => {
        const file = { repository: name, type, mimeType: blob['mime-type'], length: blob.length }
        const wanted = storeForFile(taken.contributions, file)
        if (wanted) await placeBlob(blob, wanted)
      },
    }),
    isAtomic: sql !== database.sql,
    isContended,
    writes: writes.of(principal),
    over,
    now: new Date(),
  })
  const sessionOn: Parameters<typeof createUnitsOfWork>[1]['sessionOn'] = (
    sql,
    principal,
    { holdsRows, last, within, over = within?.over },
  ) => {
    // Sessions are made here alone, of nothing but such snapshots.
    const taken = (within?.snapshot as PlatformSnapshot | undefined) ?? snapshot()
    if (last?.snapshot === taken) return { ...last, over, now: new Date() }
    const session = sessionWith(sql, principal, { taken, isContended: holdsRows, over })
    return within ? { ...session, now: within.now } : session
  }
  // Outside transactions a session is bound to nothing but its principal, which authentication remembers: making
  // one for each request cost more than writing the document.
  const poolSession = (principal: Principal, kind: 'readers' | 'writers'): Session => {
    const taken = snapshot()
    const sessions = pooledOf(taken)[kind]
    const known = sessions.get(principal)
    if (known) return { ...known, now: new Date() }
    const isReader = kind === 'readers'
    const made = sessionWith(database.sql, principal, { taken, isContended: false, isReader })
    const session = isReader ? made : { ...made, parents }
    sessions.set(principal, session)
    return session
  }
  const readSession = (principal: Principal): Session => poolSession(principal, 'readers')
  const isAwaited = (): boolean => snapshot().get(subscriptionsRegistry).hasAwaited
  const awaiting = createAwaiting(name, afterCommit, isAwaited)
  const inTransaction: Repository['withSession'] = (principal, work) =>
    awaiting((note) =>
      shares.transactions(principal, () =>
        database.transaction(async (sql, isContended) => {
          const session = sessionOn(sql, principal, { holdsRows: isContended })
          const result = await work(session, sql)
          await notifySessionSaved(session)
          await note(sql)
          return result
        }),
      ),
    )
  const isHeard = (): boolean =>
    isAwaited() || isSessionSavedSubscribed({ listeners: withSubscriptions(listeners, snapshot(), unheard) })
  return {
    name,
    database,
    withSession: inTransaction,
    withSingleWrite: (principal, work) =>
      isHeard()
        ? inTransaction(principal, work)
        : shares.transactions(principal, () =>
            database.singleWrite(
              () => work(poolSession(principal, 'writers')),
              (sql, isContended) => work(sessionOn(sql, principal, { holdsRows: isContended })),
            ),
          ),
    readSession,
    units: awaitedUnits(
      createUnitsOfWork(database, {
        sessionOn,
        sharing: shares.transactions,
        readSession,
        watchHolding: createWatchHolding(holdSeconds),
      }),
      awaiting,
    ),
  }
}
