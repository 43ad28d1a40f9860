import { randomUUID } from 'node:crypto'
import {
  type DocumentRecord,
  documentEvent,
  type Properties,
  requirePermission,
  type Session,
  staleDocument,
} from '../documents/index.js'
import { fail } from '../errors/index.js'

export type Increment = 'MAJOR' | 'MINOR' | 'NONE'

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

const nextNumber = ({ majorVersion, minorVersion }: DocumentRecord, increment: 'MAJOR' | 'MINOR') =>
  increment === 'MAJOR'
    ? { majorVersion: majorVersion + 1, minorVersion: 0 }
    : { majorVersion, minorVersion: minorVersion + 1 }

/** The schema `uid` shows the number to clients that read properties instead of labels. */
const numberProperties = (
  session: Session,
  document: DocumentRecord,
  major: number,
  minor: number,
): Properties =>
  session.model.schemasOf(document.type, document.facets).some((schema) => schema.name === 'uid')
    ? { 'uid:major_version': major, 'uid:minor_version': minor }
    : {}

/**
 * Makes a version of a document as it stands. A document that is checked in already has one, which is
 * returned unchanged.
 *
 * @returns the live document, checked in, and its version.
 * @throws badRequest for a version or a type without the facet `Versionable`, forbidden without `WriteVersion`.
 */
export const checkIn = async (
  session: Session,
  document: DocumentRecord,
  { increment, comment }: { increment: 'MAJOR' | 'MINOR'; comment?: string | undefined },
): Promise<{ document: DocumentRecord; version: DocumentRecord }> => {
  await requirePermission(session, document, 'WriteVersion')
  if (document.isVersion) throw fail('badRequest', `Document ${document.id} is a version already`)
  if (!session.model.facetsOf(document.type, document.facets).includes('Versionable')) {
    throw fail('badRequest', `Documents of type ${document.type} are not versionable`)
  }
  const existing =
    document.isCheckedIn && document.baseVersionId
      ? await session.store.get(document.baseVersionId)
      : undefined
  if (existing) return { document, version: existing }

  const number = nextNumber(document, increment)
  const numbered = numberProperties(session, document, number.majorVersion, number.minorVersion)
  const version: DocumentRecord = {
    ...document,
    ...number,
    id: randomUUID(),
    parentId: null,
    path: null,
    position: null,
    isVersion: true,
    isCheckedIn: true,
    versionSeriesId: document.id,
    versionLabel: `${number.majorVersion}.${number.minorVersion}`,
    versionDescription: comment ?? null,
    versionCreatedAt: session.now,
    isLatestVersion: true,
    isLatestMajorVersion: number.minorVersion === 0,
    baseVersionId: null,
    lockOwner: null,
    lockedAt: null,
    systemToken: 0,
    userToken: 0,
    properties: { ...document.properties, ...numbered },
  }
  const changed = await session.store.update(
    {
      id: document.id,
      properties: numbered,
      columns: { ...number, isCheckedIn: true, baseVersionId: version.id },
      isUserChange: false,
      expectedSystemToken: document.systemToken,
    },
    [
      documentEvent('documentCheckedIn', document, {
        checkedInVersionRef: version.id,
        comment: comment ?? null,
      }),
    ],
  )
  if (!changed) throw staleDocument(document.id)
  await session.store.markLatestVersion(version)
  await session.store.insert(version, [documentEvent('documentCreated', version)])
  return { document: changed, version }
}
