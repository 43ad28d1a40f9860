import {
  type DocumentRecord,
  getDocument,
  type Properties,
  type Session,
  updateDocument,
} from '../documents/index.js'

/** A document that carries values which nobody has written yet: what `save=false` leaves behind. */
type UnsavedDocument = DocumentRecord & { unsaved?: Properties }

const unsavedOf = (document: UnsavedDocument): Properties | undefined => document.unsaved

export const hasUnsaved = (document: DocumentRecord): boolean => unsavedOf(document) !== undefined

/**
 * The document with values set in memory alone: the steps that follow see them, `saveUnsaved` writes them,
 * and the end of the transaction forgets them.
 */
export const withUnsaved = (document: DocumentRecord, changes: Properties): DocumentRecord => {
  const changed: UnsavedDocument = {
    ...document,
    properties: { ...document.properties, ...changes },
    unsaved: { ...unsavedOf(document), ...changes },
  }
  return changed
}

/** Writes changes together with those that wait on the document. */
export const saveChanges = async (
  session: Session,
  document: DocumentRecord,
  changes: Properties,
): Promise<DocumentRecord> => {
  const unsaved = unsavedOf(document)
  if (!unsaved) return updateDocument(session, document, changes)
  // Other steps may have written the document since it was changed in memory.
  const current = await getDocument(session, document.id)
  return updateDocument(session, current, { ...unsaved, ...changes })
}

/** Writes what waits on the document; one without unsaved changes stays untouched. */
export const saveUnsaved = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> =>
  unsavedOf(document) ? saveChanges(session, document, {}) : document

/** The document as it is stored, whatever waits on it. */
export const storedDocument = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> =>
  unsavedOf(document) ? getDocument(session, document.id) : document

/** Writes the changes, or leaves them on the document when they are not to be saved yet. */
export const applyChanges = async (
  session: Session,
  document: DocumentRecord,
  { changes, save }: { changes: Properties; save: boolean },
): Promise<DocumentRecord> =>
  save ? saveChanges(session, document, changes) : withUnsaved(document, changes)
