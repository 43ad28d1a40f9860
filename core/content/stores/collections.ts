import type { DocumentRecord } from '../../model/properties/index.js'

/** Ids of a collection and of a document that it names. */
export type Holding = { collection: string; member: string }

/** Collections and their members, which know of each other. */
export type CollectionStore = {
  /** Which collections, versions of them included, name which of some documents as members, in no order. */
  holding(documentIds: readonly string[]): Promise<Holding[]>
  /** Takes what is in a locked subtree, soon to be removed, out of collections, and the marks of its collections off their members. */
  leave(root: DocumentRecord): Promise<void>
  /**
   * Marks the members of copied collections; copies of members are in no collection.
   *
   * @returns the most collections that one of these members is in then.
   */
  markCopiedMembers(copy: DocumentRecord): Promise<number>
}
