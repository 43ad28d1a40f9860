import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'

export type Place = {
  parent: DocumentRecord
  name: string
  path: string
  /** Among the ordered children of the parent; null where there is no order. */
  position: number | null
}

/** Where a subtree goes, and whether it is in the trash there; absent: its marks stay as they are. */
export type Relocation = Place & { isTrashed?: boolean | undefined }

/** A document with everything below it; with `from`, what of that is at this path or behind it, and what that has below. */
export type Subtree = DocumentRecord & { from?: string }

/** What decides about what a change may do in a subtree that is locked. */
export type SubtreeFacts = {
  /** Bytes of the longest path in it; 0 for what has no place. */
  longestPath: number
  /** Whether it has targets of proxies. */
  hasTargets: boolean
}

/** What decides about rights on a document: all else that two documents may differ in changes nothing. */
export type AccessFacts = Pick<
  DocumentRecord,
  'aclId' | 'type' | 'facets' | 'lifecycleState' | 'lockOwner' | 'isVersion'
>

/** These, and a text that stands for them where a store picks documents. */
export type SubtreeKind = AccessFacts & { kind: string }

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

/** By document type, where a transition leads from the states that allow it. */
export type TransitionTable = { type: string; from: string; to: string }[]

/** A document that followed a transition together with its folder. */
export type Followed = { id: string; from: string; wasCheckedIn: boolean }

/** A document with everything below it. */
export type SubtreeStore = {
  /** Locks it against every change, new children included, and returns what decides about changes of it. */
  lock(root: Subtree): Promise<SubtreeFacts>
  /** The same facts, without locking it. */
  facts(root: Subtree): Promise<SubtreeFacts>
  /** So many documents from below another one, the last by path; all when there are fewer. */
  lastBelow(root: DocumentRecord, count: number): Promise<Subtree>
  /** What decides about rights in it, each distinct combination once, without locking it. */
  kinds(root: Subtree): Promise<SubtreeKind[]>
  /** How many documents are below it; counting stops at `most`. */
  countBelow(root: DocumentRecord, most: number): Promise<number>
  /** How many proxies outside of it, once it is locked, show a live document inside. */
  countProxiesFromOutside(root: Subtree): Promise<number>
  /**
   * Removes it, locked, with its versions, but for those that a proxy elsewhere still shows. Versions that
   * outlived their document go with the last proxy.
   */
  remove(root: Subtree, events: readonly CoreEvent[]): Promise<void>
  /**
   * Marks it, locked, as trashed or not. What was trashed by itself before, with a name that says so,
   * stays as it is when the mark is taken from what is above it.
   */
  markTrashed(root: DocumentRecord, isTrashed: boolean): Promise<void>
  /**
   * Puts it, locked, into another place, under the ACLs that are in force there, and marks it as `markTrashed` does
   * where that is asked for; false when the path is taken.
   */
  move(root: DocumentRecord, to: Relocation): Promise<boolean>
  /** Copies it as far as it may be read; undefined when the path is taken. */
  copy(root: DocumentRecord, copy: SubtreeCopy): Promise<DocumentRecord | undefined>
  /**
   * Takes everything below a folder along a transition as far as its states, ACLs and locks allow, with its events
   * in the outbox. What was checked in is checked out.
   *
   * @returns what changed, by path, with the state that it was in and whether it was checked in.
   */
  followTransition(
    root: DocumentRecord,
    by: {
      transition: string
      table: TransitionTable
      granted: GrantedDocuments | null
      comment: string | null
    },
  ): Promise<Followed[]>
}
