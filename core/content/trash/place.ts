import type { DocumentRecord } from '../../model/properties/index.js'
import { type Placed, requireContainer, type Session, staleDocument } from '../documents/index.js'

/** A document's place in the hierarchy, under another name. */
export const placeOf = async (
  session: Session,
  document: DocumentRecord,
): Promise<{ parent: Placed; position: number | null }> => {
  const parent = document.parentId
    ? await session.stores.documents.get(document.parentId, 'parent')
    : undefined
  if (!parent) throw staleDocument(document.id)
  return { parent: requireContainer(parent, 'parent'), position: document.position }
}
