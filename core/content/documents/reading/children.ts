import type { DocumentRecord } from '../../../model/properties/index.js'
import { keepReadable } from '../access/access.js'
import type { Session } from '../session.js'

/** What the product keeps below documents for itself, e.g. the comments on them. */
const isOfTheProduct = ({ model }: Session, { type, facets }: DocumentRecord): boolean =>
  model.facetsOf(type, facets).includes('SystemDocument')

/** All direct children that the principal may read, by position, then name; what the product keeps is left out. */
export const getChildren = async (session: Session, parent: DocumentRecord): Promise<DocumentRecord[]> => {
  const children = await session.stores.children.list(parent.id)
  return keepReadable(
    session,
    children.filter((child) => !isOfTheProduct(session, child)),
  )
}
