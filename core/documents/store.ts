import type { CoreEvent } from '../events/index.js'
import type { NxqlPlan } from '../nxql/index.js'
import type { Acl, EffectiveAcl } from '../security/index.js'
import type { DocumentRecord, DocumentRef, Properties } from './types.js'

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

export type Place = { parent: DocumentRecord; name: string; path: string }

export type SubtreeCopy = Place & {
  /** What lies under an ACL that is not among these stays behind, with all below it. */
  readableAclIds: readonly number[]
  /** Set on every copy that has a creation date. */
  properties: Properties
  /** Initial life-cycle state by document type. */
  initialStates: { [type: string]: string | null }
}

export type Page = { limit: number; offset: number }

/**
 * The contract of a repository backend, bound to one transaction. It stores and finds; who may do what,
 * and what a change means, is decided by its callers in `core/`.
 */
export type DocumentStore = {
  get(ref: DocumentRef, lock?: LockMode): Promise<DocumentRecord | undefined>
  /** Records in the order of the ids; ids that are not there are left out. */
  getMany(ids: readonly string[]): Promise<DocumentRecord[]>
  /** Direct children by position, then name. */
  children(parentId: string): Promise<DocumentRecord[]>
  /**
   * Writes a new row and its events, in one statement. `nameTaken` and `parentChanged` write nothing: the path
   * is another's, or the parent is no longer at the path and under the ACL that it was read with. Until the end
   * of the transaction the parent is held against both.
   */
  insert(
    record: DocumentRecord,
    events: readonly CoreEvent[],
    parent?: DocumentRecord,
  ): Promise<'inserted' | 'nameTaken' | 'parentChanged'>
  /** The row after the change; undefined when it is gone or no longer the one expected. */
  update(change: DocumentChange, events: readonly CoreEvent[]): Promise<DocumentRecord | undefined>
  /** Locks a subtree against every change, new children included, and gives what decides about rights in it. */
  lockSubtree(root: DocumentRecord): Promise<{ aclIds: number[]; lockOwners: string[] }>
  /** Removes a locked subtree with its versions. */
  removeSubtree(root: DocumentRecord, events: readonly CoreEvent[]): Promise<void>
  /** Gives a locked subtree another place and the ACLs that follow from it; false when the path is taken. */
  moveSubtree(root: DocumentRecord, to: Place): Promise<boolean>
  /** The effective ACLs in force in a subtree, without locking it. */
  subtreeAclIds(root: DocumentRecord): Promise<number[]>
  /** Copies a subtree as far as its ACLs are among the readable ones; undefined when the path is taken. */
  copySubtree(root: DocumentRecord, copy: SubtreeCopy): Promise<DocumentRecord | undefined>
  /** Marks the newest version of a series as such and all others as not. */
  markLatestVersion(version: DocumentRecord): Promise<void>
  query(plan: NxqlPlan, page: Page): Promise<DocumentRecord[]>
  count(plan: NxqlPlan): Promise<number>
  /** Ids of all matches, in order, at most `limit`. */
  queryIds(plan: NxqlPlan, limit: number): Promise<string[]>
  localAcls(documentId: string): Promise<Acl[]>
  /** Replaces the local ACLs of a locked subtree's root and recomputes every effective ACL in it. */
  setLocalAcls(root: DocumentRecord, acls: readonly Acl[]): Promise<DocumentRecord>
  effectiveAcl(aclId: number): Promise<EffectiveAcl>
  emit(events: readonly CoreEvent[]): Promise<void>
}
