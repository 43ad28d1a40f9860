import type { DocumentRecord } from '../../model/properties/index.js'
import type { CoreEvent, JsonValue } from '../../platform/events/index.js'
import { shortName } from '../../platform/names/index.js'
import { documentEvent, type Session } from '../documents/index.js'
import type { Download } from './require-download.js'

const EVENT = 'download'

/** Characters of an xpath or an address in the audit. */
const LONGEST_PLACE = 2_000

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
  // As long as somebody makes it, it would be written with each download.
  const long = fileName ?? blob.name
  const name = long === null ? null : shortName(long)
  const extendedInfos = {
    blobXPath: xpath?.slice(0, LONGEST_PLACE).replaceAll(';', ':') ?? null,
    blobFilename: name,
    downloadReason: reason,
    ...(rendition !== undefined && { rendition }),
    ...(redirect !== undefined && { redirect: redirect.slice(0, LONGEST_PLACE) }),
  }
  await stores.outbox.emit([eventOf(document, { comment: name, extendedInfos })])
}
