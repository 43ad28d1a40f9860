import type { Acl, EffectiveAcl, Principal } from '../../access/security/index.js'
import type { NxqlPlan, Reach, RecordPlan, Statement } from '../../model/nxql/index.js'
import type { DocumentRecord, DocumentRef, Properties, PropertyValue } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'
import type { MailQueue } from '../mail/types.js'
import type { SubtreeKind } from './access/access.js'

/**
 * How a row is held until the end of the transaction: `write` against other writers, `parent` against the
 * row being removed, moved or given another ACL while a child is made, `structure` against all of these.
 */
export type LockMode = 'write' | 'parent' | 'structure'

export type DocumentChange = {
  id: string
  /** Values to set, by property; null clears. */
  properties?: Properties
  /** Other columns to set. */
  columns?: Partial<
    Pick<
      DocumentRecord,
      | 'facets'
      | 'lifecycleState'
      | 'isCheckedIn'
      | 'isTrashed'
      | 'proxyTargetId'
      | 'versionLabel'
      | 'versionDescription'
      | 'versionCreatedAt'
      | 'isLatestVersion'
      | 'isLatestMajorVersion'
      | 'majorVersion'
      | 'minorVersion'
      | 'baseVersionId'
      | 'lockOwner'
      | 'lockedAt'
      | 'position'
    >
  >
  /** A change that a user asked for moves the half of the changeToken that clients compare. */
  isUserChange: boolean
  /** Refuse unless the row is still the one that was read. */
  expectedSystemToken?: number
}

export type Place = {
  parent: DocumentRecord
  name: string
  path: string
  /** Among the ordered children of the parent; null where there is no order. */
  position: number | null
}

/** What decides about what a change may do in a subtree that is locked. */
export type SubtreeFacts = {
  /** Bytes of the longest path in it; 0 for what has no place. */
  longestPath: number
  /** Whether it has targets of proxies. */
  hasTargets: boolean
}

/** By document type, where a transition leads from the states that allow it. */
export type TransitionTable = { type: string; from: string; to: string }[]

/** Those documents of a subtree that somebody has a right on: of these kinds, but for those that are named. */
export type GrantedDocuments = { kinds: readonly string[]; except: readonly string[] }

export type SubtreeCopy = Place & {
  /** All else stays behind, with what is below it; null takes everything. */
  readable: GrantedDocuments | null
  /** Set on every copy that has a creation date. */
  properties: Properties
  /** Initial life-cycle state by document type. */
  initialStates: { [type: string]: string | null }
  /** Whether what lies below comes along. */
  withChildren: boolean
}

export type Page = { limit: number; offset: number }

/**
 * The contract of a repository backend, bound to one transaction. It stores and finds; who may do what,
 * and what a change means, is decided by its callers in `core/`.
 */
/** A document that followed a transition together with its folder. */
export type Followed = { id: string; from: string; wasCheckedIn: boolean }

export type DocumentStore = MailQueue & {
  get(ref: DocumentRef, lock?: LockMode): Promise<DocumentRecord | undefined>
  /** Records in the order of the ids; ids that are not there are left out. */
  getMany(ids: readonly string[]): Promise<DocumentRecord[]>
  /** What is at some paths, in no order. */
  getByPaths(paths: readonly string[]): Promise<DocumentRecord[]>
  /** Direct children by position, then name. */
  children(parentId: string): Promise<DocumentRecord[]>
  /**
   * Writes a new row and its events, in one statement. `nameTaken` and `parentChanged` write nothing: the path
   * is another's, or the parent is no longer at the path and under the ACL that it was read with, or anything of it
   * has changed where it must not have. Until the end of the transaction the parent is held against the first two.
   */
  insert(
    record: DocumentRecord,
    events: readonly CoreEvent[],
    parent?: Pick<DocumentRecord, 'path' | 'aclId' | 'systemToken'> & { mustBeUnchanged?: boolean },
  ): Promise<'inserted' | 'nameTaken' | 'parentChanged'>
  /**
   * Writes new rows below a folder, with an event each, in one statement. Their parents are the folder itself or
   * were made in the same transaction.
   *
   * @returns ids of the rows that were written; the paths of the others are taken.
   */
  insertMany(
    rows: readonly { record: DocumentRecord; event: CoreEvent }[],
    folder: DocumentRecord,
  ): Promise<ReadonlySet<string> | 'parentChanged'>
  /** The row after the change; undefined when it is gone or no longer the one expected. */
  update(change: DocumentChange, events: readonly CoreEvent[]): Promise<DocumentRecord | undefined>
  /** Locks a subtree against every change, new children included, and gives what decides about changes of it. */
  lockSubtree(root: DocumentRecord): Promise<SubtreeFacts>
  /**
   * Removes a locked subtree with its versions, but for those that a proxy elsewhere still shows. Versions that
   * outlived their document go with the last proxy.
   */
  removeSubtree(root: DocumentRecord, events: readonly CoreEvent[]): Promise<void>
  /** How many proxies outside of a locked subtree show a live document inside. */
  countProxiesFromOutside(root: DocumentRecord): Promise<number>
  /**
   * Marks a locked subtree as trashed or not. What was trashed by itself before, with a name that tells so,
   * stays as it is when the mark is taken from what is above it.
   */
  markTrashed(root: DocumentRecord, isTrashed: boolean): Promise<void>
  /** Gives a locked subtree another place and the ACLs that follow from it; false when the path is taken. */
  moveSubtree(root: DocumentRecord, to: Place): Promise<boolean>
  /** What decides about rights in a subtree, each distinct combination once, without locking it. */
  subtreeKinds(root: DocumentRecord): Promise<SubtreeKind[]>
  /** Copies a subtree as far as it may be read; undefined when the path is taken. */
  copySubtree(root: DocumentRecord, copy: SubtreeCopy): Promise<DocumentRecord | undefined>
  /** Marks the newest version of a series as such and all others as not. */
  markLatestVersion(version: DocumentRecord): Promise<void>
  /** The versions of a live document, the oldest first. */
  versions(seriesId: string): Promise<DocumentRecord[]>
  latestVersion(seriesId: string): Promise<DocumentRecord | undefined>
  /** Removes one version; the newest of the others is the latest from then on. */
  removeVersion(version: DocumentRecord, events: readonly CoreEvent[]): Promise<void>
  /** Proxies of a live document and of its versions, those in one folder when `parentId` is given. */
  proxies(seriesId: string, parentId?: string): Promise<DocumentRecord[]>
  /** From now on the row tells its proxies what changes; undefined when it is gone. */
  holdProxyTarget(id: string): Promise<DocumentRecord | undefined>
  /** The position after the last of a folder's children. */
  nextPosition(parentId: string): Promise<number>
  /** Ids of all direct children, by position, then name. */
  childIds(parentId: string): Promise<string[]>
  /** Numbers the children of a folder in the order of the ids. */
  setPositions(ids: readonly string[]): Promise<void>
  /**
   * Takes everything below a folder along a transition as far as its states, ACLs and locks allow, and tells so
   * in the outbox. What was checked in is checked out.
   *
   * @returns what changed, by path, with the state that it was in and whether it was checked in.
   */
  followBelow(
    root: DocumentRecord,
    by: {
      transition: string
      table: TransitionTable
      granted: GrantedDocuments | null
      comment: string | null
    },
  ): Promise<Followed[]>
  /** Runs work that may fail without failing the transaction: what it wrote is undone, and the error thrown. */
  attempt<Result>(work: (store: DocumentStore) => Promise<Result>): Promise<Result>
  query(plan: NxqlPlan, page: Page): Promise<DocumentRecord[]>
  /** How many match; one more than `atMost` when there are more than that. */
  count(plan: Pick<NxqlPlan, 'count'>, atMost?: number): Promise<number>
  /** Rows of what a query selects, by its operands. */
  records(plan: RecordPlan, page: Page): Promise<{ [operand: string]: PropertyValue }[]>
  /** The lines of the database's plan for a statement. */
  /** How far the principal reads, about: what plans of queries depend on, never answers. */
  reach(): Promise<Reach>
  explain(statement: Statement): Promise<string[]>
  /** How many documents have which value, from a compiled aggregate. */
  counts(statement: Statement): Promise<{ key: string | null; count: number }[]>
  /** Ids of all matches, in order, at most `limit`. */
  queryIds(plan: NxqlPlan, limit: number): Promise<string[]>
  /** Labels of tags that begin so, each once in order of their bytes, on documents that the principal may browse. */
  tagLabels(wanted: { prefix: string; principal: Principal; limit: number }): Promise<string[]>
  /** Collections, versions of them included, that name a document as a member. */
  collectionsHolding(documentId: string): Promise<DocumentRecord[]>
  /** Takes what is in a locked subtree, soon to be removed, out of collections, and the marks of its collections off their members. */
  leaveCollections(root: DocumentRecord): Promise<void>
  /** Marks the members of copied collections; copies of members are in no collection. */
  markCopiedMembers(copy: DocumentRecord): Promise<void>
  /**
   * Comments that a principal may browse whose properties contain the given ones, by date of creation, and how many
   * there are in all.
   *
   * @param wanted `type` when only one is meant; all are given without a limit.
   */
  comments(wanted: {
    principal: Principal
    properties: Properties
    type?: string
    isTrashed?: boolean
    isNewestFirst?: boolean
    limit?: number
    offset?: number
  }): Promise<{ entries: DocumentRecord[]; total: number }>
  localAcls(documentId: string): Promise<Acl[]>
  /** The local ACLs of a document, or of a version's live document, and all entries in force, at one moment. */
  acp(document: DocumentRecord): Promise<{ own: Acl[]; inForce: EffectiveAcl }>
  /** Replaces the local ACLs of a document that is held for writing, from which on they are in force below it. */
  setLocalAcls(root: DocumentRecord, acls: readonly Acl[]): Promise<DocumentRecord>
  effectiveAcl(aclId: number): Promise<EffectiveAcl>
  /**
   * Adds to whole numbers in one statement, whatever others have added meanwhile; null counts as 0.
   *
   * @param increments paths from a property's key down; by their order when one is named twice.
   * @returns the row after the change; undefined when it is gone, or an item of a list on a path is.
   */
  increment(
    id: string,
    increments: readonly { path: readonly (string | number)[]; by: number }[],
  ): Promise<DocumentRecord | undefined>
  emit(events: readonly CoreEvent[]): Promise<void>
}
