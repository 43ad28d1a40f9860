import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { Session } from './session.js'

/** A document that has a place in the hierarchy. */
export type Placed = DocumentRecord & { path: string }

/**
 * A document that may have children.
 *
 * @throws badRequest for a version or a proxy, naming the field that the document was given in.
 */
export const requireContainer = (document: DocumentRecord, field: string): Placed => {
  if (document.path === null)
    throw fail('badRequest', `${field}: ${document.id} is a version and takes no children`)
  if (document.isProxy)
    throw fail('badRequest', `${field}: ${document.path} is a proxy and takes no children`)
  return { ...document, path: document.path }
}

export const isOrderable = ({ model }: Session, { type, facets }: DocumentRecord): boolean =>
  model.facetsOf(type, facets).includes('Orderable')

/** Where a new child of a folder stands: last when children have an order, else nowhere in particular. */
export const positionIn = async (session: Session, folder: DocumentRecord): Promise<number | null> =>
  isOrderable(session, folder) ? session.stores.children.nextPosition(folder.id) : null
