import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { fail, requireAtomic } from '../../platform/errors/index.js'
import {
  announce,
  changeDocument,
  documentEvent,
  requirePermission,
  type Session,
  withNotesOf,
} from '../documents/index.js'
import { addVersion } from './check-in.js'
import { checkOut } from './check-out.js'

/** What to set, and what to clear, to replace one set of properties by another. */
const replacing = (present: Properties, wanted: Properties): Properties => ({
  ...Object.fromEntries(
    Object.keys(present)
      .filter((key) => !(key in wanted))
      .map((key) => [key, null]),
  ),
  ...wanted,
})

/**
 * Gives a live document the content of one of its versions: properties, facets and life-cycle state. Its place, its
 * rights and its lock stay. Afterwards it is checked in as that version.
 *
 * @param createVersion whether to create a version of the live document first, when it was changed since its last one.
 * @param isCheckedOut whether to check the document out afterwards.
 * @throws badRequest for what is no version, notFound when its live document is gone, forbidden without
 * `WriteProperties` and `WriteVersion` on it, and without `WriteLifeCycle` where its state changes.
 */
export const restoreVersion = async (
  session: Session,
  version: DocumentRecord,
  { createVersion = false, isCheckedOut = false }: { createVersion?: boolean; isCheckedOut?: boolean } = {},
): Promise<DocumentRecord> => {
  requireAtomic(session)
  if (!version.isVersion || version.versionSeriesId === null)
    throw fail('badRequest', `Document ${version.path ?? version.id} is not a version`)
  const live = await session.stores.documents.get(version.versionSeriesId, 'write')
  if (!live) throw fail('notFound', version.versionSeriesId)
  await requirePermission(session, live, 'WriteProperties')
  await requirePermission(session, live, 'WriteVersion')
  if (version.lifecycleState !== live.lifecycleState) await requirePermission(session, live, 'WriteLifeCycle')
  const kept =
    createVersion && !live.isCheckedIn
      ? (await addVersion(session, live, { increment: 'MINOR' })).document
      : live
  await announce(session, 'beforeRestoringDocument', kept, { version: version.id })
  const { properties, facets } = withNotesOf(kept, version)
  const restored = await changeDocument(
    session,
    kept,
    {
      properties: replacing(kept.properties, properties),
      columns: {
        facets,
        lifecycleState: version.lifecycleState,
        majorVersion: version.majorVersion,
        minorVersion: version.minorVersion,
        isCheckedIn: true,
        baseVersionId: version.id,
      },
      isUserChange: true,
    },
    [
      documentEvent('documentRestored', kept, {
        lifecycleState: version.lifecycleState,
        comment: version.versionLabel,
        version: version.id,
        restoredVersionLabel: version.versionLabel,
      }),
    ],
  )
  return isCheckedOut ? checkOut(session, restored) : restored
}
