import type { DocumentRecord } from '../../model/properties/index.js'

/** Collections and their members, which know of each other. */
export type CollectionStore = {
  /** Ids of collections, versions of them included, that name a document as a member, by path. */
  holding(documentId: string): Promise<string[]>
  /** Takes what is in a locked subtree, soon to be removed, out of collections, and the marks of its collections off their members. */
  leave(root: DocumentRecord): Promise<void>
  /**
   * Marks the members of copied collections; copies of members are in no collection.
   *
   * @returns the most collections that one of these members is in then.
   */
  markCopiedMembers(copy: DocumentRecord): Promise<number>
}
