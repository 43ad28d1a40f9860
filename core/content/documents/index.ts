export {
  getDocument,
  getNamedDocument,
  hasPermission,
  keepReadable,
  requirePermission,
} from './access/access.js'
export {
  type AclChange,
  addAce,
  blockInheritance,
  removeAces,
  removeAcesByUsername,
  removeAcl,
  replaceAce,
  setAce,
  unblockInheritance,
} from './access/acp.js'
export { COMMENTS_FOLDER, requireNoComment } from './access/comment-rights.js'
export { heldPermissions } from './access/held-permissions.js'
export { ALLOW_VIRTUAL_USER, isKnownName, requireKnownName } from './access/known-name.js'
export { type Holder, permissionHolders, usersAmong } from './access/permission-holders.js'
export { demandedForReading } from './access/policy-queries.js'
export { createPolicyQueriesRegistry } from './access/policy-queries-check.js'
export { privileged, type QuietChange, withFacet, writeQuietly } from './access/privileged.js'
export { changeAcls, getAcls, getEffectiveAcls, setAcls, setFirstAcls } from './access/security.js'
export { claimSubtree, grantedBelow } from './access/subtree.js'
export { requireNoWorkflowDocument } from './access/workflow-documents.js'
export { beginChange } from './changes/begin.js'
export { checkOutChange, numberProperties, transitionEvent } from './changes/check-out-change.js'
export { requireFewCollections } from './changes/collection-limit.js'
export { type Delta, incrementProperties } from './changes/counters.js'
export { createDocument, type NewDocument } from './changes/creating/create.js'
export { ensureChild } from './changes/creating/ensure-child.js'
export { type ImportedDocument, importDocuments } from './changes/creating/import.js'
export { type SeededDocument, seedRepository } from './changes/creating/seed.js'
export { emptyDocument, unsavedDocument } from './changes/creating/unsaved.js'
export { addedFacet, type FacetChange, removedFacet } from './changes/facets.js'
export { lockDocument, unlockDocument } from './changes/locks.js'
export { onTarget, seriesOf, targetOf } from './changes/proxies.js'
export { staleDocument } from './changes/stale.js'
export { copyDocument } from './changes/structure/copy.js'
export {
  moveDocument,
  orderDocument,
  receivingFolder,
  relocate,
  withFreeName,
} from './changes/structure/move.js'
export { removeDocument } from './changes/structure/remove.js'
export { isRemovedInPages, removePageBelow } from './changes/structure/remove-page.js'
export { changeToken, requireChangeToken, updateDocument } from './changes/update.js'
export {
  announce,
  changeDocument,
  commentOfEvent,
  documentEvent,
  type EventOptions,
  emit,
  emitWithoutDocument,
  isSessionSavedSubscribed,
  notifyListeners,
  notifySessionSaved,
} from './events.js'
export {
  type DocumentListener,
  type DocumentListeners,
  type ListenedEvent,
  withoutListener,
} from './listeners.js'
export {
  canonicalPath,
  childPath,
  documentName,
  TRASHED_NAME,
  trashedName,
  untrashedName,
} from './names.js'
export { type Placed, positionIn, requireContainer } from './place.js'
export { blobAt, blobsAt, blobsOf, blobXpath, type PlacedBlob, placedBlobs } from './reading/blob-at.js'
export { getChildren } from './reading/children.js'
export { conditionTest } from './reading/condition.js'
export { browsedAlone, readingApart } from './reading/found.js'
export { COLLECTIONS, HIDING_LISTS, MEMBERS } from './reading/hidden-lists.js'
export { hostDocument, sentDocument } from './reading/host-document.js'
export { LISTED_PROPERTIES } from './reading/listed.js'
export { withNotesOf, withoutNotes } from './reading/notes.js'
export { pagingFields } from './reading/paging-fields.js'
export {
  aggregateDocuments,
  checkQuery,
  type DocumentPage,
  explainQuery,
  filledIn,
  MAX_PAGE_SIZE,
  MORE_THAN_COUNTED,
  type PageOf,
  type Paging,
  type QueryCaller,
  type QueryExplanation,
  queryAndFetch,
  queryDocuments,
  queryIds,
  type RecordPage,
  readPage,
  searchAndFetch,
  searchDocuments,
} from './reading/query.js'
export { versionLabel } from './reading/version-label.js'
export type { Session, TransactionScope } from './session.js'
