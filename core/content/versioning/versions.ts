import type { DocumentRecord } from '../../model/properties/index.js'
import { keepReadable, type Session, seriesOf } from '../documents/index.js'

/** The versions of a document, of a version or a proxy's document, that the principal may read; the oldest first. */
export const getVersions = async (session: Session, document: DocumentRecord): Promise<DocumentRecord[]> =>
  keepReadable(session, await session.stores.versions.list(seriesOf(document)))

/** The newest version, unless there is none that the principal may read. */
export const getLastVersion = async (
  session: Session,
  document: DocumentRecord,
): Promise<DocumentRecord | undefined> => {
  const latest = await session.stores.versions.latest(seriesOf(document))
  return latest && (await keepReadable(session, [latest]))[0]
}
