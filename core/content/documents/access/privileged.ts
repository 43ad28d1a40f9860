import type { DocumentRecord } from '../../../model/properties/index.js'
import type { CoreEvent } from '../../../platform/events/index.js'
import type { DocumentChange } from '../../stores/index.js'
import { throwIfOver } from '../changes/begin.js'
import { staleDocument } from '../changes/stale.js'
import { notifyListeners } from '../events.js'
import type { Session } from '../session.js'

/**
 * A session for what the product does on a user's behalf: the same principal, so that creators and events name
 * the user, but with every right. Never passed to code that a caller controls.
 */
export const privileged = (session: Session): Session => ({
  ...session,
  principal: { ...session.principal, isAdministrator: true },
})

/** The values of a quiet write; null clears a property. */
export type QuietChange = Pick<DocumentChange, 'properties'> & { facets?: string[] }

/**
 * Writes service data of the product on a document: needs no right, and changes neither the version,
 * `dc:modified` and its contributors, nor the half of the changeToken that clients compare. The row
 * is read again and locked, so that concurrent writers lose nothing.
 *
 * @param change returns what to set for the row as it is now; undefined when there is nothing to do.
 * @returns the document as it is afterwards.
 */
export const writeQuietly = async (
  session: Session,
  id: string,
  change: (current: DocumentRecord) => QuietChange | undefined,
  eventsOf: (current: DocumentRecord) => readonly CoreEvent[] = () => [],
): Promise<DocumentRecord> => {
  throwIfOver(session)
  const current = await session.stores.documents.get(id, 'write')
  if (!current) throw staleDocument(id)
  const wanted = change(current)
  if (!wanted) return current
  const { properties, facets } = wanted
  const events = eventsOf(current)
  const changed = await session.stores.documents.update(
    {
      id,
      ...(properties && { properties }),
      ...(facets && { columns: { facets } }),
      isUserChange: false,
      expectedSystemToken: current.systemToken,
    },
    events,
  )
  if (!changed) throw staleDocument(id)
  return notifyListeners(session, changed, events)
}

/** The facets of one document with one more, unless it or its type has it. */
export const withFacet = (session: Session, document: DocumentRecord, facet: string): string[] =>
  session.model.facetsOf(document.type, document.facets).includes(facet)
    ? document.facets
    : [...document.facets, facet]
