import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  announce,
  changeDocument,
  checkOutChange,
  onTarget,
  requirePermission,
  type Session,
} from '../documents/index.js'

/**
 * Checks out a checked-in document, so that it can be changed; one that is checked out already stays as it is. After an
 * older version was restored the document takes the number of the latest one.
 *
 * @throws badRequest for a version, forbidden without `WriteProperties`.
 */
export const checkOut = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  await requirePermission(session, document, 'WriteProperties')
  if (document.isProxy) return onTarget(session, document, (target) => checkOut(session, target))
  if (document.isVersion)
    throw fail('badRequest', `Document ${document.id} is a version and cannot be checked out`)
  if (!document.isCheckedIn) return document
  await announce(session, 'aboutToCheckout', document)
  const { columns, properties, events } = await checkOutChange(session, document)
  return changeDocument(session, document, { columns, properties }, events)
}
