import type { AclStore } from './acls.js'
import type { AuditStore } from './audit.js'
import type { ChildStore } from './children.js'
import type { CollectionStore } from './collections.js'
import type { CommentStore } from './comments.js'
import type { CounterStore } from './counters.js'
import type { DocumentStore } from './documents.js'
import type { MailQueue } from './mail.js'
import type { Outbox } from './outbox.js'
import type { ProxyStore } from './proxies.js'
import type { RouteStore } from './routes.js'
import type { QueryBackend } from './searching/queries.js'
import type { SubtreeStore } from './subtrees.js'
import type { TagStore } from './tags.js'
import type { VersionStore } from './versions.js'

/**
 * The stores of a repository, bound to one transaction and, for what they note, to one principal. They store and
 * find; who may do what, and what a change means, is decided by their callers.
 */
export type ContentStores = {
  documents: DocumentStore
  children: ChildStore
  subtrees: SubtreeStore
  versions: VersionStore
  proxies: ProxyStore
  acls: AclStore
  tags: TagStore
  comments: CommentStore
  collections: CollectionStore
  counters: CounterStore
  outbox: Outbox
  mail: MailQueue
  audit: AuditStore
  routes: RouteStore
  /** The repository's own answers: they see what the transaction has written, and decide what rights follow from. */
  queries: QueryBackend
  /** Answers to searches of users, which may lag behind commits: see `SearchBackend`. */
  search: QueryBackend
}

export type { AclStore } from './acls.js'
export type {
  AuditCondition,
  AuditField,
  AuditOrder,
  AuditStore,
  AuditValue,
  LogEntry,
  NewLogEntry,
} from './audit.js'
export type { ChildStore } from './children.js'
export type { CollectionStore, Holding } from './collections.js'
export type { CommentStore, CommentsWanted } from './comments.js'
export type { CounterStore } from './counters.js'
export type { DocumentChange, DocumentStore, LockMode } from './documents.js'
export type { Mail, MailQueue } from './mail.js'
export type { Outbox, OutboxRelay, OutboxRelayOptions, RelayedEvent } from './outbox.js'
export type { ProxyStore } from './proxies.js'
export type {
  BriefRoute,
  RouteBacklog,
  RouteEscalation,
  RouteStore,
  RunningRoutes,
  StoredRoute,
  TaskCount,
} from './routes.js'
export type {
  AuditIndex,
  EngineCaller,
  EngineSearch,
  EngineSearches,
  JsonObject,
  SearchedEntries,
} from './searching/engine-searches.js'
export type {
  BrowsedScopes,
  IndexEngine,
  IndexEvent,
  IndexedDocument,
  IndexFailure,
  IndexFeed,
  IndexReadiness,
  IndexRegistry,
  IndexSides,
  IndexState,
  IndexWrite,
  SearchedWords,
  SubtreeTask,
} from './searching/indexing.js'
export type {
  CountedPage,
  GroupCount,
  Page,
  QueryBackend,
  QueryRecord,
  QueryScope,
  ReadingApart,
  Results,
} from './searching/queries.js'
export type { OpenSearch, SearchBackend, SearchedStores } from './searching/search.js'
export type {
  AccessFacts,
  Followed,
  GrantedDocuments,
  Place,
  Relocation,
  Subtree,
  SubtreeCopy,
  SubtreeFacts,
  SubtreeKind,
  SubtreeStore,
  TransitionTable,
} from './subtrees.js'
export type { TagStore } from './tags.js'
export type { VersionStore } from './versions.js'
