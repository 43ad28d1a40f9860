import type { DocumentRecord, DocumentRef, Properties } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'
import type { AccessFacts } from './subtrees.js'

/**
 * How a row is held until the end of the transaction: `write` against other writers, `parent` against the
 * row being removed, moved or given another ACL while a child is created, `structure` against all of these.
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

/** Documents one by one, and several by their keys. */
export type DocumentStore = {
  get(ref: DocumentRef, lock?: LockMode): Promise<DocumentRecord | undefined>
  /**
   * Records in the order of the ids; ids that are not there are left out.
   *
   * @param options `areSmall`: those whose properties have more than 128 KiB are left out, too, so that a hundred may be read.
   * @throws tooLarge for more characters than a list may have.
   */
  getMany(ids: readonly string[], options?: { areSmall?: boolean }): Promise<DocumentRecord[]>
  /**
   * The same with no more properties than those named, and of these only short ones: whatever somebody writes into
   * documents, a list of them may be read.
   */
  briefly(ids: readonly string[], properties: readonly string[]): Promise<DocumentRecord[]>
  /** What decides about rights on each of some documents, in no order, and nothing else of them; none is held. */
  accessOf(ids: readonly string[]): Promise<(AccessFacts & Pick<DocumentRecord, 'id'>)[]>
  /** What is at some paths, in no order. */
  getByPaths(paths: readonly string[]): Promise<DocumentRecord[]>
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
   * were created in the same transaction before.
   *
   * @returns ids of the rows that were written; the paths of the others are taken.
   */
  insertMany(
    rows: readonly { record: DocumentRecord; event: CoreEvent }[],
    folder: DocumentRecord,
  ): Promise<ReadonlySet<string> | 'parentChanged'>
  /** The row after the change; undefined when it is gone or no longer the one expected. */
  update(change: DocumentChange, events: readonly CoreEvent[]): Promise<DocumentRecord | undefined>
}
