import type { DocumentRecord } from '../../../model/properties/index.js'
import type { CoreEvent } from '../../../platform/events/index.js'
import type { DocumentChange } from '../../stores/index.js'
import { staleDocument } from '../changes/stale.js'
import { tell } from '../events.js'
import type { Session } from '../session.js'

/**
 * A session for what the product does on somebody's behalf: the same person, so that creators and events name
 * whom they should, but with every right. Never to be handed to code that a caller controls.
 */
export const privileged = (session: Session): Session => ({
  ...session,
  principal: { ...session.principal, isAdministrator: true },
})

/** What a quiet write sets; null clears a property. */
export type QuietChange = Pick<DocumentChange, 'properties'> & { facets?: string[] }

/**
 * Writes what the product notes on a document for its services: no right is asked for, and neither the version,
 * `dc:modified` and its contributors, nor the half of the changeToken that clients compare is touched. The row
 * is read anew and held, so that two writers at once lose nothing.
 *
 * @param change what to set, given the row as it is now; undefined when nothing is to be done.
 * @returns the document as it is afterwards.
 */
export const writeQuietly = async (
  session: Session,
  id: string,
  change: (current: DocumentRecord) => QuietChange | undefined,
  eventsOf: (current: DocumentRecord) => readonly CoreEvent[] = () => [],
): Promise<DocumentRecord> => {
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
  return tell(session, changed, events)
}

/** The facets of one document with one more, unless it or its type has it. */
export const withFacet = (session: Session, document: DocumentRecord, facet: string): string[] =>
  session.model.facetsOf(document.type, document.facets).includes(facet)
    ? document.facets
    : [...document.facets, facet]
