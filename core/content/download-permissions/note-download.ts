import type { DocumentRecord } from '../../model/properties/index.js'
import type { CoreEvent, JsonValue } from '../../platform/events/index.js'
import { documentEvent, type Session } from '../documents/index.js'
import type { Download } from './require-download.js'

const EVENT = 'download'

const eventOf = (
  document: DocumentRecord | null,
  options: { comment: string | null; extendedInfos: { [name: string]: JsonValue } },
): CoreEvent =>
  document ? documentEvent(EVENT, document, options) : { event: EVENT, documentId: null, payload: options }

/**
 * Writes the event of a file that is sent, for the audit (blobs-conversions.md §2).
 *
 * @param download `document`: null for a file that is of none.
 */
export const noteDownload = async (
  { stores }: Pick<Session, 'stores'>,
  {
    document,
    blob,
    xpath,
    reason,
    rendition,
    fileName,
    redirect,
  }: Omit<Download, 'document' | 'infos'> & {
    document: DocumentRecord | null
    /** What it is saved as; its own name when absent. */
    fileName?: string | undefined
    /** Where the store of files serves it. */
    redirect?: string | undefined
  },
): Promise<void> => {
  const name = fileName ?? blob.name
  const extendedInfos = {
    blobXPath: xpath?.replaceAll(';', ':') ?? null,
    blobFilename: name,
    downloadReason: reason,
    ...(rendition !== undefined && { rendition }),
    ...(redirect !== undefined && { redirect }),
  }
  await stores.outbox.emit([eventOf(document, { comment: name, extendedInfos })])
}
