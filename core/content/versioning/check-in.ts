import type { DocumentRecord } from '../../model/properties/index.js'
import { fail, requireAtomic } from '../../platform/errors/index.js'
import {
  announce,
  changeDocument,
  commentOfEvent,
  documentEvent,
  notifyListeners,
  numberProperties,
  requirePermission,
  type Session,
  targetOf,
} from '../documents/index.js'
import { type Increment, versioningRegistry } from './policies/index.js'
import { versionRecord } from './version-record.js'

/**
 * Reads what callers write for a version increment, in any case.
 *
 * @throws badRequest naming the field it came from.
 */
export const parseIncrement = (text: string, field: string): Increment => {
  const increment = text.trim().toUpperCase()
  if (increment === 'MAJOR' || increment === 'MINOR' || increment === 'NONE') return increment
  throw fail('badRequest', `${field}: '${text}' is not MAJOR, MINOR or NONE`)
}

export type CheckIn = { increment: 'MAJOR' | 'MINOR'; comment?: string | undefined }

/** @throws badRequest for documents that are not versionable. */
export const requireVersionable = ({ model }: Session, { type, facets }: DocumentRecord): void => {
  if (!model.facetsOf(type, facets).includes('Versionable'))
    throw fail('badRequest', `Documents of type ${type} are not versionable`)
}

/**
 * Refuses an increment that the rules of the deployment do not allow for the document in its present state.
 *
 * @throws badRequest naming the field and the increments that are allowed.
 */
export const requireOption = (
  session: Session,
  document: DocumentRecord,
  { increment, field }: { increment: Increment; field: string },
): void => {
  if (increment === 'NONE') return
  requireVersionable(session, document)
  const options = session.snapshot.get(versioningRegistry).options(document)
  if (!options.includes(increment))
    throw fail(
      'badRequest',
      `${field}: ${increment} is not allowed for a ${document.type} in state ${document.lifecycleState}; allowed are ${options.join(', ')}`,
    )
}

const nextNumber = ({ majorVersion, minorVersion }: DocumentRecord, increment: 'MAJOR' | 'MINOR') =>
  increment === 'MAJOR'
    ? { majorVersion: majorVersion + 1, minorVersion: 0 }
    : { majorVersion, minorVersion: minorVersion + 1 }

/**
 * Creates a version of a document as it is. A document that is checked in already has one, which is
 * returned unchanged. A live proxy stands for its target.
 *
 * @returns the live document, checked in, and its version.
 * @throws badRequest for a version or a type without the facet `Versionable`, forbidden without `WriteVersion`.
 */
export const checkIn = async (
  session: Session,
  document: DocumentRecord,
  options: CheckIn,
): Promise<{ document: DocumentRecord; version: DocumentRecord }> => {
  await requirePermission(session, document, 'WriteVersion')
  if (!document.isProxy) return addVersion(session, document, options)
  const target = await targetOf(session, document)
  const { version } = await checkIn(session, target, options)
  return { document: (await session.stores.documents.get(document.id)) ?? document, version }
}

/** As `checkIn`, without a check of the caller's rights: for policies of the deployment. */
export const addVersion = async (
  session: Session,
  document: DocumentRecord,
  { increment, comment }: CheckIn,
): Promise<{ document: DocumentRecord; version: DocumentRecord }> => {
  requireAtomic(session)
  if (document.isVersion) throw fail('badRequest', `Document ${document.id} is a version already`)
  requireVersionable(session, document)
  const existing =
    document.isCheckedIn && document.baseVersionId
      ? await session.stores.documents.get(document.baseVersionId)
      : undefined
  if (existing) return { document, version: existing }

  await announce(session, 'aboutToCheckIn', document, { comment: comment ?? null })
  const number = nextNumber(document, increment)
  const numbered = numberProperties(session, document, number)
  const version = versionRecord(document, { number, numbered, comment, now: session.now })
  const columns = { ...number, isCheckedIn: true, baseVersionId: version.id }
  const changed = await changeDocument(session, document, { properties: numbered, columns }, [])
  await session.stores.versions.markLatest(version)
  const created = [documentEvent('documentCreated', version)]
  const checkedIn = [
    documentEvent('documentCheckedIn', changed, {
      checkedInVersionRef: version.id,
      versionLabel: version.versionLabel,
      comment: commentOfEvent(comment),
    }),
  ]
  await session.stores.documents.insert(version, [...created, ...checkedIn])
  await notifyListeners(session, version, created)
  return { document: await notifyListeners(session, changed, checkedIn), version }
}
