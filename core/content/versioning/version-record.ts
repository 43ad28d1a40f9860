import { randomUUID } from 'node:crypto'
import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { withoutNotes } from '../documents/index.js'

type Numbering = {
  number: Pick<DocumentRecord, 'majorVersion' | 'minorVersion'>
  /** Properties that say the number, where the type has them. */
  numbered: Properties
  comment: string | undefined
  now: Date
}

/** The version of a document as it is: without a place, a lock or what its own clients counted. */
export const versionRecord = (
  document: DocumentRecord,
  { number, numbered, comment, now }: Numbering,
): DocumentRecord => {
  const { properties, facets } = withoutNotes(document)
  return {
    ...document,
    ...number,
    id: randomUUID(),
    parentId: null,
    path: null,
    position: null,
    isVersion: true,
    isCheckedIn: true,
    isTrashed: false,
    versionSeriesId: document.id,
    versionLabel: `${number.majorVersion}.${number.minorVersion}`,
    versionDescription: comment ?? null,
    versionCreatedAt: now,
    isLatestVersion: true,
    isLatestMajorVersion: number.minorVersion === 0,
    baseVersionId: null,
    lockOwner: null,
    lockedAt: null,
    systemToken: 0,
    userToken: 0,
    facets,
    properties: { ...properties, ...numbered },
  }
}
