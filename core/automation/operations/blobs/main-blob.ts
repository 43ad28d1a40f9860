import { placedBlobs } from '../../../content/documents/index.js'
import { permittedBlobs } from '../../../content/download-permissions/index.js'
import { createBlobValue } from '../../../files/blobs/index.js'
import {
  type BlobValue,
  type DocumentRecord,
  getProperty,
  isBlobValue,
  type PropertyValue,
} from '../../../model/properties/index.js'
import type { OperationContext } from '../../language/index.js'

const text = (value: PropertyValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/**
 * The files at a property of a document, a file or a list of them.
 *
 * @throws forbidden for one that the deployment's scripts keep from being downloaded.
 */
export const blobsFrom = (
  { session }: OperationContext,
  document: DocumentRecord,
  { xpath, reason = 'download' }: { xpath: string; reason?: string },
): Promise<readonly BlobValue[]> => {
  const value = getProperty(document.properties, { model: session.model, xpath })
  return permittedBlobs(session, document, { placed: placedBlobs(xpath, value), reason })
}

/**
 * The file that a document stands for: its main file, or the text of a note.
 *
 * @throws forbidden when the deployment's scripts keep it from being downloaded.
 */
export const mainBlob = async (
  context: OperationContext,
  document: DocumentRecord,
  reason = 'download',
): Promise<BlobValue | undefined> => {
  const { name, properties } = document
  if (isBlobValue(properties['file:content'])) {
    const [content] = await blobsFrom(context, document, { xpath: 'file:content', reason })
    return content
  }
  const note = text(properties['note:note'])
  if (note === undefined) return undefined
  const mimeType = text(properties['note:mime_type']) ?? 'text/html'
  return createBlobValue({
    stored: await context.services.blobs.write(Buffer.from(note)),
    name,
    mimeType,
    encoding: 'UTF-8',
  })
}

/** All files of a document: the one that it stands for, then its attachments. */
export const allBlobs = async (
  context: OperationContext,
  document: DocumentRecord,
): Promise<readonly BlobValue[]> => {
  const main = await mainBlob(context, document)
  return [...(main ? [main] : []), ...(await blobsFrom(context, document, { xpath: 'files:files' }))]
}

const ABSENT = { suffix: '.null', mimeType: 'text/plain' }

/** What stands for a file that is not there: `<name>.null`, a text of no length (reference: automation.md §11). */
export const absentBlob = async (
  { services }: OperationContext,
  { name }: DocumentRecord,
): Promise<BlobValue> =>
  createBlobValue({
    stored: await services.blobs.write(new Uint8Array()),
    name: `${name}${ABSENT.suffix}`,
    mimeType: ABSENT.mimeType,
  })

/** Whether a file is what `absentBlob` gives. */
export const isAbsentBlob = ({ name, length, 'mime-type': mimeType }: BlobValue): boolean =>
  length === 0 && name?.endsWith(ABSENT.suffix) === true && mimeType === ABSENT.mimeType
