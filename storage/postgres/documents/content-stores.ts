import type { PermissionModel } from '../../../core/access/security/index.js'
import type { ContentStores, QueryBackend } from '../../../core/content/stores/index.js'
import { createAuditStore } from '../audit/index.js'
import type { RefuseWaiting, Sql } from '../connection/index.js'
import { lazyParts } from '../connection/index.js'
import { createMailQueue } from '../mail/index.js'
import { createQueries, type QueryMemory } from '../queries/index.js'
import { createRoutes } from '../routing/index.js'
import type { Writer } from '../rows/index.js'
import { type AclLimits, createAclLimits } from './access/acl-limits.js'
import { createAcls } from './access/acls.js'
import { type AclCache, createEffectiveAcls, type EffectiveAcls } from './access/effective-acls.js'
import { createScopes, type Scopes } from './access/scopes.js'
import { createChildren } from './children.js'
import { createCollections } from './collections.js'
import { createComments } from './comments.js'
import { createCounters } from './counters.js'
import { createImport } from './importing.js'
import { createOutbox } from './outbox.js'
import { createProxies } from './proxies.js'
import { createReads, type ShareReads } from './reading.js'
import { createSubtrees } from './subtrees/subtrees.js'
import { createTags } from './tags.js'
import type { WritesTogether } from './together/index.js'
import { createVersions } from './versions.js'
import { createWrites } from './writing.js'

type StoreOptions = Writer & {
  sql: Sql
  /** Where single documents are read, outside transactions. Absent: like all else. */
  keyed?: Sql | undefined
  /** Where small documents are written, outside transactions. Absent: each by a statement of its own. */
  together?: WritesTogether | undefined
  /** Of the database. Absent: others wait for whatever a transaction holds. */
  refuseWaiting?: RefuseWaiting
  permissions: PermissionModel
  aclCache: AclCache
  /** Of all stores on one database; absent: of these stores alone. */
  queryMemory?: QueryMemory
  /** Has queries wait for their share of the connections; absent: they take what they need. */
  shareQueries?: (own: QueryBackend) => QueryBackend
  shareReads?: ShareReads | undefined
  /** What answers searches beside these stores; absent: their own queries. */
  searchOn?: (stores: Pick<ContentStores, 'queries' | 'documents'>) => QueryBackend
  /** Largest subtree that a new ACL writes to at once; what is larger is left to the upkeep. */
  maxEagerDocuments?: number
  /** Every document that is read is held against other writers until the transaction ends. */
  holdsRows?: boolean
}

type Private = { effectiveAcls: EffectiveAcls; aclLimits: AclLimits; scopes: Scopes }

const storesOf = lazyParts<StoreOptions & { queryMemory: QueryMemory }, ContentStores & Private>({
  documents: ({ sql, keyed, together, principal, writes, shareReads: share, holdsRows = false }) => ({
    ...createReads(sql, { owner: principal, holdsRows, keyed, share }),
    ...createWrites(sql, { principal, writes, together }),
    ...createImport(sql, { principal, writes }),
  }),
  children: ({ sql, principal }) => createChildren(sql, principal),
  subtrees: (
    { sql, principal, writes, refuseWaiting = () => ({ stop: () => undefined }) },
    { scopes, outbox },
  ) => createSubtrees(sql, { principal, writes, scopes, outbox, refuseWaiting }),
  versions: ({ sql }, { outbox }) => createVersions(sql, outbox),
  proxies: ({ sql }) => createProxies(sql),
  acls: ({ sql, principal, permissions, writes }, { effectiveAcls, scopes, outbox, aclLimits: limits }) =>
    createAcls(sql, principal, { permissions, writes, effectiveAcls, scopes, outbox, limits }),
  tags: ({ sql }) => createTags(sql),
  comments: ({ sql }) => createComments(sql),
  collections: ({ sql, principal, writes }) => createCollections(sql, { principal, writes }),
  counters: ({ sql, writes }) => createCounters(sql, writes),
  outbox: ({ sql, principal, writes }) => createOutbox(sql, { principal, writes }),
  mail: ({ sql, principal, writes }) => createMailQueue(sql, { principal, writes }),
  audit: ({ sql }) => createAuditStore(sql),
  routes: ({ sql, principal, writes }) => createRoutes(sql, { principal, writes }),
  queries: ({ sql, queryMemory, shareQueries }) => {
    const own = createQueries(sql, queryMemory)
    return shareQueries?.(own) ?? own
  },
  search: ({ searchOn }, stores) => searchOn?.(stores) ?? stores.queries,
  effectiveAcls: ({ sql, permissions, aclCache }) =>
    createEffectiveAcls(sql, { permissions, cache: aclCache }),
  aclLimits: ({ principal, writes }) => createAclLimits(principal, writes),
  scopes: ({ sql, permissions, maxEagerDocuments }, { effectiveAcls, aclLimits: limits }) =>
    createScopes(sql, { permissions, effectiveAcls, limits, maxEagerDocuments }),
})

const connections = new WeakMap<ContentStores, Sql>()

/** The stores of a repository on Postgres, bound to one transaction (or, for reads, to the pool) and one principal. */
export const createContentStores = (options: StoreOptions): ContentStores => {
  const stores = storesOf({
    queryMemory: { preparedTexts: new Set(), reaches: new Map(), gathered: () => undefined },
    ...options,
  })
  connections.set(stores, options.sql)
  return stores
}

/** What stores are bound to: for others that are to be in the same transaction. */
export const connectionOf = (stores: ContentStores): Sql => {
  const sql = connections.get(stores)
  if (!sql) throw new Error('These stores are of another backend')
  return sql
}
