import {
  type DocumentRecord,
  type Properties,
  requireKnownReferences,
  requireValid,
} from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { requirePermission } from '../access/access.js'
import { announce, changeDocument, documentEvent } from '../events.js'
import { referenceLookup } from '../reading/references.js'
import type { Session } from '../session.js'
import { throwIfOver } from './begin.js'
import { checkOutChange } from './check-out-change.js'
import { modificationProperties, withoutProtected } from './dublincore.js'
import { placeBlobs } from './place-blobs.js'
import { onTarget } from './proxies.js'

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

/** What the event of a modification carries beside it. */
export type UpdateOptions = {
  comment?: string | undefined
  /** The client or feature that writes. */
  source?: string | undefined
  facets?: readonly string[]
}

/**
 * Sets properties of a document that was read in this unit of work; null clears. A document that was
 * checked in is checked out by it; an approved or obsolete one then returns to its first state. A change
 * of a live proxy changes its target.
 *
 * This creates no version: `saveDocument` of `core/content/versioning` creates those of callers and policies.
 *
 * @param properties values as stored, by prefixed name; those not named stay.
 * @throws forbidden without `WriteProperties`, badRequest on a version, invalid when a constraint is
 * violated, conflict (retryable) when the row is no longer the one that was read.
 */
export const updateDocument = async (
  session: Session,
  document: DocumentRecord,
  properties: Properties,
  options: UpdateOptions = {},
): Promise<DocumentRecord> => {
  throwIfOver(session)
  await requirePermission(session, document, 'WriteProperties')
  if (document.isProxy)
    return onTarget(session, document, (target) => updateDocument(session, target, properties, options))
  if (document.isVersion)
    throw fail('badRequest', `Document ${document.id} is a version: its properties are read-only`)
  const facets = [...(options.facets ?? document.facets)]
  const schemas = session.model.schemasOf(document.type, facets)
  const wanted = withoutProtected(session, properties)
  await requireKnownReferences(wanted, schemas, { lookup: referenceLookup(session), isPartial: true })
  requireValid(wanted, schemas, { isPartial: true, transaction: session.stores })
  const saving = { ...document, facets, properties: { ...document.properties, ...wanted } }
  const filled = {
    ...wanted,
    ...(await session.placeholders?.(session, { document: saving, previous: document })),
  }
  await placeBlobs(session, document.type, filled)
  const comment = options.comment ?? null
  const about = { ...document, properties: { ...document.properties, ...filled } }
  const asked = await announce(session, 'beforeDocumentModification', about, { comment })
  if (Object.keys(asked).length > 0)
    requireValid(asked, schemas, { isPartial: true, transaction: session.stores })
  const changes = { ...filled, ...asked }
  const checkOut = await checkOutChange(session, document, { isSave: true })
  return changeDocument(
    session,
    document,
    {
      properties: { ...modificationProperties(session, document), ...checkOut.properties, ...changes },
      columns: { ...checkOut.columns, ...(options.facets && { facets }) },
      isUserChange: true,
    },
    [
      ...checkOut.events,
      documentEvent('documentModified', document, {
        lifecycleState: checkOut.columns.lifecycleState ?? document.lifecycleState,
        properties: Object.keys(changes),
        ...(options.comment !== undefined && { comment: options.comment }),
        ...(options.source !== undefined && { source: options.source }),
      }),
    ],
  )
}
