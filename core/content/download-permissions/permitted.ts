import type { BlobValue, DocumentRecord } from '../../model/properties/index.js'
import type { PlacedBlob, Session } from '../documents/index.js'
import { requireDownload } from './require-download.js'

/**
 * Files of a document that something is to be made of, when the deployment's scripts permit each of them.
 *
 * @param reason what for, as `Download` has it.
 * @throws forbidden for the first that may not be downloaded.
 */
export const permittedBlobs = async (
  session: Session,
  document: DocumentRecord,
  { placed, reason }: { placed: readonly PlacedBlob[]; reason: string },
): Promise<readonly BlobValue[]> => {
  for (const { blob, xpath } of placed) await requireDownload(session, { document, blob, xpath, reason })
  return placed.map(({ blob }) => blob)
}
