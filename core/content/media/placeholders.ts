import { type BlobStore, createBlobValue } from '../../files/blobs/index.js'
import type { BlobValue, DocumentRecord, Properties } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { pictureConversionsFor } from './conversions-for.js'
import { mediaSource, mediaWorkOf } from './listeners-point.js'
import { itemOf } from './make-picture.js'
import { mediaKeyOf } from './media-key.js'
import { PLACEHOLDER, PLACEHOLDER_INFO, PLACEHOLDER_NAME } from './placeholder-picture.js'

/** How long the stored placeholder is relied on, milliseconds: files that nothing names are kept for hours. */
const REMEMBERED_MS = 60_000

const FILE = 'file:content'
const VIEWS = 'picture:views'

/** A document as it is about to be saved; the same as it was, null when it is created. */
export type Saving = {
  document: DocumentRecord
  previous: Pick<DocumentRecord, 'properties'> | null
}

/** Whether its file is another one, and nobody gives it views with that. */
const hasNewFile = ({ document, previous }: Saving): boolean => {
  if (!previous) return true
  const [now, before] = [document.properties, previous.properties]
  if (now[FILE] === before[FILE] || now[VIEWS] !== before[VIEWS]) return false
  const [source, old] = [mediaSource(document), mediaSource(previous)]
  return source !== undefined && (!old || mediaKeyOf({ source }) !== mediaKeyOf({ source: old }))
}

/** The same picture in place of each view that is yet to be made, and no description of the picture. */
export type Placeholders = (session: Session, saving: Saving) => Promise<Properties>

/**
 * Fills the views of a picture until they are made (blobs-conversions.md §4), so that all are there by their titles as
 * soon as the document is.
 *
 * @param write stores the bytes of the placeholder.
 */
export const createPlaceholders = (
  write: (bytes: Buffer) => ReturnType<BlobStore['write']>,
): Placeholders => {
  let known: { blob: BlobValue; until: number } | undefined

  const placeholder = async (): Promise<BlobValue> => {
    if (known && known.until > Date.now()) return known.blob
    const blob = createBlobValue({ stored: await write(PLACEHOLDER), name: PLACEHOLDER_NAME })
    known = { blob, until: Date.now() + REMEMBERED_MS }
    return blob
  }

  return async (session, saving): Promise<Properties> => {
    if (!mediaSource(saving.document)) return {}
    const { model, contributions } = session
    const { document, previous } = saving
    const { type, facets } = document
    if (!hasNewFile(saving) || !model.schemasOf(type, facets).some(({ name }) => name === 'picture'))
      return {}
    const event = previous ? 'documentModified' : 'documentCreated'
    const work = mediaWorkOf(document, { model, contributions, event })
    if (!work.some(({ kind, isSettled }) => kind === 'picture' && !isSettled)) return {}
    const view = { blob: await placeholder(), info: PLACEHOLDER_INFO }
    const views = (await pictureConversionsFor(session, document)).map((conversion) =>
      itemOf(conversion, view),
    )
    return { 'picture:info': null, 'picture:views': views }
  }
}
