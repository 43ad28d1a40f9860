import type { Acl, EffectiveAcl } from '../../access/security/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'

/** Local ACLs of documents, and what is in force because of them. */
export type AclStore = {
  local(documentId: string): Promise<Acl[]>
  /** The local ACLs of a document, or of a version's live document, and all entries in force, at one moment. */
  acp(document: DocumentRecord): Promise<{ own: Acl[]; inForce: EffectiveAcl }>
  /** Replaces the local ACLs of a document that is held for writing, from which on they are in force below it. */
  setLocal(root: DocumentRecord, acls: readonly Acl[]): Promise<DocumentRecord>
  /**
   * Gives a document that the same transaction has created, and that has nothing below it, its first ACLs, and writes
   * events with them.
   */
  setFirst(
    document: DocumentRecord,
    acls: readonly Acl[],
    events: readonly CoreEvent[],
  ): Promise<DocumentRecord>
  /** Whether an ACL lets the principal browse by a permission of these, at some time. */
  isBrowsedBy(permissions: readonly string[]): Promise<boolean>
  /**
   * Ids of documents that have entries by a creator, in their order.
   *
   * @param options `path`: of the document at and below which they are; absent: all. `after`: the last id of those before.
   */
  grantedBy(
    creator: string,
    options: { path?: string; after?: string | undefined; limit: number },
  ): Promise<string[]>
  /** The entries behind the `aclId` of a record. */
  effective(aclId: number): Promise<EffectiveAcl>
}
