import { type FacetChange, getDocument, type Session } from '../../../content/documents/index.js'
import { saveDocument } from '../../../content/versioning/index.js'
import type { DocumentRecord, Properties } from '../../../model/properties/index.js'

/** A document that carries values which nobody has written yet: what `save=false` leaves behind. */
type UnsavedDocument = DocumentRecord & { unsaved?: Properties; unsavedFacets?: readonly string[] }

const unsavedOf = (document: UnsavedDocument): Properties | undefined => document.unsaved

const unsavedFacetsOf = (document: UnsavedDocument): readonly string[] | undefined => document.unsavedFacets

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

/** As `withUnsaved`, with other facets than the document has so far. */
const withUnsavedFacets = (document: DocumentRecord, { facets, properties }: FacetChange): DocumentRecord => {
  const changed: UnsavedDocument = {
    ...withUnsaved(document, properties),
    facets: [...facets],
    unsavedFacets: facets,
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
  if (!unsaved) return (await saveDocument(session, document, changes)).document
  // Other steps may have written the document since it was changed in memory.
  const current = await getDocument(session, document.id)
  const facets = unsavedFacetsOf(document)
  const saved = await saveDocument(
    session,
    current,
    { ...unsaved, ...changes },
    { ...(facets && { facets }) },
  )
  return saved.document
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

/** Gives the document other facets, or leaves them on it when they are not to be saved yet. */
export const applyFacets = async (
  session: Session,
  document: DocumentRecord,
  { change, save }: { change: FacetChange; save: boolean },
): Promise<DocumentRecord> => {
  const changed = withUnsavedFacets(document, change)
  return save ? saveUnsaved(session, changed) : changed
}
