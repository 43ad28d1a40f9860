import { SYSTEM } from '../../access/security/index.js'
import type { DocumentRecord, PropertyValue } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { acceptedByFilters } from '../filters/index.js'
import { type PictureConversion, pictureConversionsOf } from './conversion-points.js'

/** The views that a document gets: those whose filters accept it, as the product sees it. */
export const pictureConversionsFor = async (
  session: Session,
  document: DocumentRecord,
): Promise<PictureConversion[]> => {
  const conversions = pictureConversionsOf(session.contributions)
  const asSystem = { ...session, principal: SYSTEM }
  const accepted = await Promise.all(
    conversions.map(({ filters }) => acceptedByFilters(asSystem, document, filters)),
  )
  return conversions.filter((_, index) => accepted[index])
}

const titleOf = (view: PropertyValue): PropertyValue | undefined =>
  typeof view === 'object' && view !== null && 'title' in view ? view.title : undefined

/** Views that were made of a file, without those that one of its documents does not get. */
export const viewsFor = async (
  session: Session,
  document: DocumentRecord,
  views: readonly PropertyValue[],
): Promise<PropertyValue[]> => {
  const all = pictureConversionsOf(session.contributions)
  const accepted = await pictureConversionsFor(session, document)
  const refused = all.filter(({ name }) => !accepted.some((each) => each.name === name))
  return views.filter((view) => !refused.some(({ name }) => name === titleOf(view)))
}
