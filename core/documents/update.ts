import { fail } from '../errors/index.js'
import { requireValid } from '../properties/index.js'
import { requirePermission } from './access.js'
import { modificationProperties, withoutProtected } from './dublincore.js'
import { documentEvent } from './events.js'
import type { Session } from './session.js'
import type { DocumentRecord, Properties } from './types.js'

/** The token that clients see: `<system>-<user>`, e.g. `4-2` (rest-documents.md §3). */
export const changeToken = (document: DocumentRecord): string =>
  `${document.systemToken}-${document.userToken}`

/**
 * Compares the half of a changeToken that counts a user's changes.
 *
 * @throws conflict when it is malformed or stale.
 */
export const requireChangeToken = (document: DocumentRecord, token: string): void => {
  const user = /^\d+-(\d+)$/.exec(token)?.[1]
  if (user === undefined || Number(user) !== document.userToken)
    throw fail('conflict', 'Invalid change token')
}

/** Thrown when a document changed between its reading and its writing in one unit of work, which is then done again. */
export const staleDocument = (id: string) =>
  fail('conflict', `Document ${id} was changed by somebody else meanwhile`, { retryable: true })

/**
 * Sets properties of a document that was read in this unit of work; null clears. A document that was
 * checked in is checked out by it.
 *
 * @param properties values as stored, by prefixed name; those not named stay.
 * @throws forbidden without `WriteProperties`, badRequest on a version, invalid when a constraint is
 * violated, conflict (retryable) when the row is no longer the one that was read.
 */
export const updateDocument = async (
  session: Session,
  document: DocumentRecord,
  properties: Properties,
  options: { comment?: string } = {},
): Promise<DocumentRecord> => {
  await requirePermission(session, document, 'WriteProperties')
  if (document.isVersion)
    throw fail('badRequest', `Document ${document.id} is a version: its properties are read-only`)
  const changes = withoutProtected(session, properties)
  requireValid(changes, session.model.schemasOf(document.type, document.facets), { isPartial: true })
  const updated = await session.store.update(
    {
      id: document.id,
      properties: { ...modificationProperties(session, document), ...changes },
      ...(document.isCheckedIn && { columns: { isCheckedIn: false } }),
      isUserChange: true,
      expectedSystemToken: document.systemToken,
    },
    [
      documentEvent('documentModified', document, {
        properties: Object.keys(changes),
        ...(options.comment !== undefined && { comment: options.comment }),
      }),
    ],
  )
  if (!updated) throw staleDocument(document.id)
  return updated
}
