import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { Session } from './session.js'

/** A document that has a place in the hierarchy. */
export type Placed = DocumentRecord & { path: string }

/**
 * A document that may have children.
 *
 * @throws badRequest for a version or a proxy, naming the field that the document was passed in.
 */
export const requireContainer = (document: DocumentRecord, field: string): Placed => {
  if (document.path === null)
    throw fail('badRequest', `${field}: ${document.id} is a version and cannot have children`)
  if (document.isProxy)
    throw fail('badRequest', `${field}: ${document.path} is a proxy and cannot have children`)
  return { ...document, path: document.path }
}

export const isOrderable = ({ model }: Session, { type, facets }: DocumentRecord): boolean =>
  model.facetsOf(type, facets).includes('Orderable')

/** The position of a new child: last when children are ordered, else null. */
export const positionIn = async (session: Session, folder: DocumentRecord): Promise<number | null> =>
  isOrderable(session, folder) ? session.stores.children.nextPosition(folder.id) : null
