import type { Principal } from '../../../access/security/index.js'
import type { ContentModel } from '../../../model/content-model/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import type { Contributions } from '../../../platform/contributions/index.js'
import type { ReadingApart } from './queries.js'

/** A document as an index is notified of it. */
export type IndexedDocument = {
  record: DocumentRecord
  /** Id of the scope that decides who may browse it; null for what only administrators see. */
  scope: number | null
  /** Ids of what is above it, the root first; of versions and the root there are none. */
  ancestors: readonly string[]
  /** The words that full-text searches of the repository find, in order, each with the mark of its index. */
  words: readonly { word: string; weight: 'A' | 'B' | 'C' | 'D' }[]
}

/** An index of a repository: the one that answers, or one that is being built to take its place. */
export type IndexState = {
  name: string
  state: 'wanted' | 'building' | 'live'
  createdAt: Date
  /** Documents when its building began, and how many of them have been indexed. */
  total: number
  done: number
}

/** An event that an index has not been notified of yet, of its payload the part that matters. `position` says where it stands, for `advance`. */
export type IndexEvent = {
  event: string
  documentId: string | null
  payload: { version?: unknown }
  position: { transaction: number; id: number }
}

/** What is below a document, which is indexed apart from other events: after which event, and until when it is awaited. */
export type SubtreeTask = { root: string; position: IndexEvent['position'] }

/** A document that the search engine has refused, until it takes it. */
export type IndexFailure = { documentId: string; reason: string; attempts: number; failedAt: Date }

/** The scopes whose documents, and whose versions, somebody may browse. */
export type BrowsedScopes = { documents: readonly number[]; versions: readonly number[] }

/** The words of a text in order; of one that is a single word, its stems in each language that documents have. */
export type SearchedWords = { words: readonly string[]; stems: readonly string[] }

/** What decides whether an index may answer at a moment. */
export type IndexReadiness = {
  /** Name of the index that answers; undefined while there is none. */
  live: string | undefined
  /** Something has been waiting to be indexed for longer than an index may lag. */
  isLate: boolean
  /** Something waits that changes which scope documents belong to. */
  isRegrouping: boolean
  /** How far it has been notified of what happened: it moves with everything that changes the index. */
  position?: string
}

/** The rows of a repository about its indexes. */
export type IndexRegistry = {
  list(): Promise<IndexState[]>
  /** Asks for a new index of a name; false when one is wanted or being built already. */
  want(name: string): Promise<boolean>
  /** From now on it is notified of what happens. */
  begin(name: string, total: number): Promise<void>
  progress(name: string, done: number): Promise<void>
  /** Puts it in the place of the one before, whose row goes. */
  promote(name: string): Promise<void>
  forget(name: string): Promise<void>
  /** Leaves feeding it to a process for some seconds; false while another one does. */
  lease(name: string, owner: string, seconds: number): Promise<boolean>
  /** Until `release` the index counts as not notified of the event of a task, whatever else it is notified of. */
  hold(name: string, task: SubtreeTask): Promise<void>
  release(name: string, task: SubtreeTask): Promise<void>
  held(name: string): Promise<SubtreeTask[]>
  readiness(lagSeconds: number): Promise<IndexReadiness>
}

/** What a repository reports of its documents to whatever indexes them. */
export type IndexFeed = IndexRegistry & {
  /** The next events for an index, in order, of transactions behind which none can appear any more. */
  events(name: string, limit: number): Promise<IndexEvent[]>
  advance(name: string, position: IndexEvent['position']): Promise<void>
  /** Waits for nothing: whether an index has been notified of all that this statement sees before `mark`. */
  isPast(name: string, mark: IndexEvent['position']): Promise<boolean>
  /** Id of the newest entry of the audit; undefined while that lacks an event up to `mark`. */
  audited(mark: IndexEvent['position']): Promise<number | undefined>
  /** The last event that is committed. */
  mark(): Promise<IndexEvent['position']>
  /**
   * A number that grows with each call, of all processes. What is read after a call is at least as new as what was
   * read after one with a lower number.
   */
  version(): Promise<number>
  /** As many documents, in the order of their ids, as fit into memory; `rest` are the ids to read next. */
  read(ids: readonly string[]): Promise<{ documents: IndexedDocument[]; rest: readonly string[] }>
  /** Ids in order, behind one. */
  page(after: string | null, limit: number): Promise<string[]>
  count(): Promise<number>
  /** What is below a document, behind a path; nothing of a document that is gone. */
  below(id: string, after: string | null, limit: number): Promise<{ id: string; path: string }[]>
  children(id: string): Promise<string[]>
  /** Versions of documents, and proxies that show them. */
  related(ids: readonly string[]): Promise<string[]>
  /** @param reading leaves out the scopes in which the principal browses and does not read. */
  scopesOf(principal: Principal, reading?: ReadingApart): Promise<BrowsedScopes>
  /** The words of texts that are searched for, as those of documents are folded. */
  wordsOf(texts: readonly string[]): Promise<ReadonlyMap<string, SearchedWords>>
  failures(page: { limit: number; offset: number }): Promise<{ entries: IndexFailure[]; total: number }>
  park(failures: readonly { id: string; reason: string }[]): Promise<void>
  unpark(ids: readonly string[]): Promise<void>
}

/** What becomes of a document in an index: its entry, or, without a document, none. Older versions change nothing. */
export type IndexWrite = { id: string; version: number; document?: IndexedDocument }

/** A search engine that holds indexes of one repository. Every method throws unavailable while it is away. */
export type IndexEngine = {
  /** A name for a new index. */
  newName(): string
  create(name: string): Promise<void>
  /**
   * Makes an empty index by rules that are not in force, and removes it.
   *
   * @throws invalid with what the engine refuses.
   */
  tryOut(rules: { model: ContentModel; contributions: Contributions }): Promise<void>
  exists(name: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** Lets an index answer, in the place of whichever did. */
  promote(name: string): Promise<void>
  /** Maps what the content model has now. @returns false when the index must be built again for it. */
  fit(name: string): Promise<boolean>
  /** @returns what it has refused for good, with the reason. */
  write(name: string, writes: readonly IndexWrite[]): Promise<{ id: string; reason: string }[]>
  /** Has searches find what was written. */
  refresh(name: string): Promise<void>
  /** Ids of what is below some documents, and of their versions, behind an id in order; with the documents themselves. */
  under(name: string, ids: readonly string[], after: string | null, limit: number): Promise<string[]>
  /** All entries behind an id in order, each with a digest of what it was made of. */
  entries(name: string, after: string | null, limit: number): Promise<{ id: string; digest: string }[]>
  /** The same of some documents at this moment, before a refresh as well; what has no entry is left out. */
  digests(name: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The highest version of its entries; 0 when there are none. */
  newestVersion(name: string): Promise<number>
}

/** The two sides of the indexes of one repository. */
export type IndexSides = { feed: IndexFeed; engine: IndexEngine }
