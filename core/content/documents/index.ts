export {
  type AccessFacts,
  getDocument,
  getNamedDocument,
  hasPermission,
  keepReadable,
  requirePermission,
  type SubtreeKind,
} from './access.js'
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
} from './acp.js'
export { blobAt, blobsAt, blobsIn, blobXpath } from './blob-at.js'
export { checkOutChange, numberProperties, transitionEvent } from './check-out-change.js'
export { getChildren } from './children.js'
export { COMMENTS_FOLDER } from './comment-rights.js'
export { conditionTest } from './condition.js'
export { copyDocument } from './copy.js'
export { type Delta, incrementProperties } from './counters.js'
export { createDocument, type NewDocument } from './create.js'
export { ensureChild } from './ensure-child.js'
export {
  announce,
  changeDocument,
  documentEvent,
  type EventOptions,
  emit,
  emitWithoutDocument,
  isSessionSavedSubscribed,
  notifySessionSaved,
  tell,
} from './events.js'
export { addedFacet, type FacetChange, removedFacet } from './facets.js'
export { heldPermissions } from './held-permissions.js'
export { hostDocument } from './host-document.js'
export { type ImportedDocument, importDocuments } from './import.js'
export type { DocumentListener, DocumentListeners, ListenedEvent } from './listeners.js'
export { lockDocument, unlockDocument } from './locks.js'
export { moveDocument, orderDocument, receivingFolder, relocate, withFreeName } from './move.js'
export {
  canonicalPath,
  childPath,
  TRASHED_NAME,
  trashedName,
  untrashedName,
} from './names.js'
export { withNotesOf, withoutNotes } from './notes.js'
export { type Holder, permissionHolders, usersAmong } from './permission-holders.js'
export { type Placed, positionIn, requireContainer } from './place.js'
export { policyQueriesRegistry } from './policy-queries-check.js'
export { privileged, type QuietChange, withFacet, writeQuietly } from './privileged.js'
export { onTarget, seriesOf, targetOf } from './proxies.js'
export {
  checkQuery,
  type DocumentPage,
  explainQuery,
  filledIn,
  MAX_PAGE_SIZE,
  MORE_THAN_COUNTED,
  type Paging,
  type QueryCaller,
  type QueryRecord,
  queryAndFetch,
  queryDocuments,
  queryIds,
  queryScope,
  type RecordPage,
} from './query.js'
export { removeDocument } from './remove.js'
export { changeAcls, getAcls, getEffectiveAcls, setAcls } from './security.js'
export { type SeededDocument, seedRepository } from './seed.js'
export type { Session } from './session.js'
export { staleDocument } from './stale.js'
export type {
  DocumentChange,
  DocumentStore,
  Followed,
  GrantedDocuments,
  LockMode,
  Page,
  Place,
  SubtreeCopy,
  SubtreeFacts,
  TransitionTable,
} from './store.js'
export { claimSubtree, grantedBelow } from './subtree.js'
export { emptyDocument, unsavedDocument } from './unsaved.js'
export { changeToken, requireChangeToken, updateDocument } from './update.js'
export { versionLabel } from './version-label.js'
