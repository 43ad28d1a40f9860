import type { Logger } from 'pino'
import type { ContentModel } from '../../../model/content-model/index.js'
import type { Contributions } from '../../../platform/contributions/index.js'
import type { Settings } from '../../../platform/settings/index.js'
import type { HealthCheck } from '../../../platform/telemetry/index.js'
import type { DocumentStore } from '../documents.js'
import type { AuditIndex, EngineSearches } from './engine-searches.js'
import type { IndexFeed, IndexSides } from './indexing.js'
import type { QueryBackend } from './queries.js'

/** The stores of a session whose searches are to be answered. */
export type SearchedStores = {
  /** Name of the repository that is searched. */
  repository: string
  /** The repository's own answers, which see what the transaction has written. */
  queries: QueryBackend
  /** Records of what an index has found by id. */
  documents: DocumentStore
  /** Whether they are bound to a transaction, whose own writes no index has. */
  isTransaction: boolean
}

/** A backend of searches at work, for all repositories of a process. */
export type OpenSearch = {
  on(stores: SearchedStores): QueryBackend
  healthChecks: readonly HealthCheck[]
  /** The indexes of each repository, by its name, for whatever feeds them; absent where there are none. */
  indexing?: ReadonlyMap<string, IndexSides>
  /** What follows the audit of each repository, by its name. */
  auditIndexes?: ReadonlyMap<string, AuditIndex>
  /** For clients that ask in the engine's own language; absent where there is none. */
  engineSearches?: EngineSearches
  /**
   * Fits what is indexed to the content model: when a process starts, and in the process that deploys another one.
   * Indexes what the repositories have already, where nothing has been indexed yet.
   */
  followModel(model: ContentModel): Promise<void>
  close(): Promise<void>
}

/** What answers the searches of users: an index beside the repository, or the repository itself. */
export type SearchBackend = {
  /** Refuses queries that it could not answer, where they are given before they are asked. @throws badRequest. */
  check: QueryBackend['check']
  /**
   * Called once in a process, before its first session.
   *
   * @param options `feeds`: of each repository, by its name; `deployed`: what holds at the moment of the call.
   */
  open(options: {
    settings: Settings
    logger: Logger
    feeds: ReadonlyMap<string, IndexFeed>
    deployed(): { model: ContentModel; contributions: Contributions }
  }): Promise<OpenSearch>
}
